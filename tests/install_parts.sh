#!/bin/sh
# Installs what the tests want of the system and pip cannot bring: MariaDB, Prosody and Chromium, where apt-get and root
# are at hand. Quiet, quick when they are there already, and never a reason to fail: the tests that need a part skip.

PATH=$PATH:/usr/sbin:/sbin  # servers lie there, also where a user's PATH leaves them out
missing=
command -v mariadbd >/dev/null 2>&1 || missing="$missing mariadb-server"
command -v prosody >/dev/null 2>&1 || missing="$missing prosody"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium fonts-dejavu-core"
[ -z "$missing" ] && exit 0
command -v apt-get >/dev/null 2>&1 || exit 0
[ "$(id -u)" = 0 ] || exit 0
[ -n "$OLDHAND_NO_INSTALL" ] && exit 0

quiet_apt() {
    DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq -o DPkg::Lock::Timeout=60 "$@" >/dev/null 2>&1
}

# The tests start servers of their own: Debian's shall not start one, so that no port is taken.
policy=/usr/sbin/policy-rc.d
made_policy=
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" 2>/dev/null && chmod +x "$policy" && made_policy=yes
fi
updated=
for part in $missing; do  # one by one: a part that cannot be had does not take the others with it
    quiet_apt install -y --no-install-recommends "$part" && continue
    [ -z "$updated" ] && quiet_apt update && updated=yes
    quiet_apt install -y --no-install-recommends "$part" ||
        echo "$part could not be installed: its tests are skipped." >&2
done
[ -n "$made_policy" ] && rm -f "$policy"
exit 0
