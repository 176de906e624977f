"""The files in which an XMPP server of one's own keeps passwords."""

from oldhand.human import ProsodyServer


def test_files_with_passwords_are_private_whoever_could_read_those_before(tmp_path):
    server = ProsodyServer(tmp_path / "xmpp", port=0)
    server.account("ana", "first")
    [kept] = server.folder.rglob("ana.dat")
    for path in (kept, server.accounts):
        path.chmod(0o644)
    server.account("ana", "second")
    assert [path.stat().st_mode & 0o777 for path in (kept, server.accounts)] == [0o600, 0o600]
