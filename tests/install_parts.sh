#!/bin/sh
# Installs what the tests want of the system and pip cannot bring: MariaDB, where apt-get and root are at hand.
# Quiet, quick when it is there already, and never a reason to fail: the tests that need it are skipped then.

PATH=$PATH:/usr/sbin:/sbin  # servers lie there, also where a user's PATH leaves them out
command -v mariadbd >/dev/null 2>&1 && exit 0
command -v apt-get >/dev/null 2>&1 || exit 0
[ "$(id -u)" = 0 ] || exit 0
[ -n "$OLDHAND_NO_INSTALL" ] && exit 0

quiet_apt() {
    DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq -o DPkg::Lock::Timeout=60 "$@" >/dev/null 2>&1
}

# The tests start a server of their own: Debian's shall not start one, so that no port is taken.
policy=/usr/sbin/policy-rc.d
made_policy=
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" 2>/dev/null && chmod +x "$policy" && made_policy=yes
fi
quiet_apt install -y --no-install-recommends mariadb-server ||
    { quiet_apt update && quiet_apt install -y --no-install-recommends mariadb-server; }
[ -n "$made_policy" ] && rm -f "$policy"

command -v mariadbd >/dev/null 2>&1 || echo "MariaDB could not be installed: its tests are skipped." >&2
exit 0
