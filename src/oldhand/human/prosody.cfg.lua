-- Written by `oldhand experts serve`: changes are overwritten.
run_as_root = $as_root
pidfile = "$folder/prosody.pid"
data_path = "$folder/data"
certificates = "$folder"
log = { { levels = { min = "info" }, to = "console" } }

interfaces = { "127.0.0.1" }
c2s_ports = { $port }
c2s_require_encryption = true
allow_unencrypted_plain_auth = false
ssl = { certificate = "$folder/certificate.pem", key = "$folder/key.pem" }
authentication = "internal_hashed"
allow_registration = false

modules_enabled = {
	"disco"; "roster"; "saslauth"; "tls"; "blocklist"; "carbons"; "groups"; "limits"; "mam"; "offline"; "pep"; "ping";
	"private"; "smacks"; "time"; "vcard4"; "vcard_legacy"; "posix";
}
modules_disabled = { "s2s" }  -- nobody from elsewhere
groups_file = "$folder/members.txt"

-- Debian's 10 kB/s make a conversation of a program take seconds.
limits = { c2s = { rate = "10mb/s"; burst = "5s" } }
network_settings = { nagle = false; opportunistic_writes = true }
c2s_stanza_size_limit = 262144
-- What was said is kept for those who were away. Prosody stalls where an archive reaches its limit, so that it is a high one.
default_archive_policy = true
archive_expires_after = "4w"
storage_archive_item_limit = 10000000

VirtualHost "$domain"
