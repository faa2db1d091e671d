import pytest

from bridge.address import Hosts, Proxies, base_url, check_safe, is_loopback, is_origin
from bridge.errors import ConfigError, RefusedError
from bridge.settings import Settings

EVERYWHERE = "0.0.0.0"  # noqa: S104  that is what is tested
GOOD = ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "[::1]:8787"]
BAD = [
    "",
    " ",
    "evil.example",
    "evil.example:8787",
    "localhost",
    "localhost:80",
    "localhost:8788",
    "localhost.:8787",
    "localhost.evil:8787",
    "localhost.evil.example:8787",
    "evil.localhost:8787",
    "127.0.0.1",
    "127.0.0.1.:8787",
    "127.0.0.1.nip.io:8787",
    "127.0.0.2:8787",
    "127.1:8787",
    "0x7f.0.0.1:8787",
    "2130706433:8787",
    "0.0.0.0:8787",
    "[::]:8787",
    "[::ffff:127.0.0.1]:8787",
    "::1:8787",
    "user@localhost:8787",
    "localhost:8787@evil.example",
    "localhost:8787/",
    "http://localhost:8787",
    "localhost:8787,evil.example",
    "localhost:8787 evil.example",
    "localhost:08787x",
    "localhost:\u0668\u0667\u0668\u0667",
    "l\u00f6calhost:8787",
    "localhost\x00:8787",
    "null",
    "*",
]


@pytest.mark.parametrize("host", GOOD)
def test_this_computers_own_names_are_ours(host: str) -> None:
    assert Hosts(Settings(), 8787).allow([host], "127.0.0.1")


@pytest.mark.parametrize("host", BAD)
def test_no_other_name_is_ours(host: str) -> None:
    assert not Hosts(Settings(), 8787).allow([host], "127.0.0.1")


@pytest.mark.parametrize("hosts", [[], ["localhost:8787", "localhost:8787"], ["localhost:8787", "evil.example"]])
def test_there_is_exactly_one_host_header(hosts: list[str]) -> None:
    assert not Hosts(Settings(), 8787).allow(hosts, "127.0.0.1")


def test_a_configured_name_is_ours_with_its_port_or_with_any() -> None:
    hosts = Hosts(Settings(allowed_hosts=("nas.local", "pi.local:9000")), 8787)
    assert hosts.allow(["nas.local"], "127.0.0.1")
    assert hosts.allow(["NAS.local:1234"], "127.0.0.1")
    assert hosts.allow(["pi.local:9000"], "127.0.0.1")
    assert not hosts.allow(["pi.local"], "127.0.0.1")
    assert not hosts.allow(["x.nas.local"], "127.0.0.1")


def test_the_public_address_is_ours_with_or_without_its_usual_port() -> None:
    hosts = Hosts(Settings(public_url="https://bridge.example"), 8787)
    assert hosts.allow(["bridge.example"], "127.0.0.1")
    assert hosts.allow(["bridge.example:443"], "127.0.0.1")
    assert not hosts.allow(["bridge.example:8787"], "127.0.0.1")


def test_an_address_that_the_request_came_in_at_is_ours() -> None:
    hosts = Hosts(Settings(host=EVERYWHERE, insecure_lan=True), 8787)
    assert hosts.allow(["192.168.1.5:8787"], "192.168.1.5")
    assert not hosts.allow(["192.168.1.6:8787"], "192.168.1.5")
    assert not hosts.allow(["0.0.0.0:8787"], "192.168.1.5")


NO_ORIGINS = [
    "null",
    "",
    "file://",
    "http://",
    "https://a/",
    "http://a b",
    "ftp://a",
    "http://u@a",
    "http://a?x",
    "http://a#x",
    "http://a\n",
    "http://a,http://b",
    "http://" + "a" * 300,
    "javascript:alert(1)",
    "chrome-extension://abc",
]


@pytest.mark.parametrize("origin", NO_ORIGINS)
def test_what_is_not_the_origin_of_a_web_page_may_not_pair(origin: str) -> None:
    assert not is_origin(origin)


@pytest.mark.parametrize("origin", ["http://localhost:30000", "https://game.example", "http://192.168.1.5:30000"])
def test_the_origin_of_a_web_page_may_pair(origin: str) -> None:
    assert is_origin(origin)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
def test_only_this_computer_is_served_without_a_word(host: str) -> None:
    assert is_loopback(host)
    check_safe(Settings(host=host))


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "192.168.1.5", "nas.local", ""])
def test_beyond_this_computer_it_takes_tls_or_a_flag_that_says_what_it_risks(host: str) -> None:
    with pytest.raises(RefusedError, match="read along"):
        check_safe(Settings(host=host))
    check_safe(Settings(host=host, insecure_lan=True))
    check_safe(Settings(host=host, tls_cert="cert.pem"))


def test_the_address_that_is_told_is_one_that_can_be_opened() -> None:
    assert base_url(Settings(), 8787) == "http://127.0.0.1:8787"
    assert base_url(Settings(host=EVERYWHERE), 1) == "http://127.0.0.1:1"
    assert base_url(Settings(host="::1"), 1) == "http://[::1]:1"
    assert base_url(Settings(tls_cert="c"), 1) == "https://127.0.0.1:1"
    assert base_url(Settings(public_url="https://b.example/x/"), 1) == "https://b.example/x"


@pytest.mark.parametrize(
    ("remote", "forwarded", "client"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9", "198.51.100.7, 10.1.2.3"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9, what is this"], "127.0.0.1"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1"], "10.0.0.1"),
        ("198.51.100.7", ["127.0.0.1"], "198.51.100.7"),
        ("::1", ["2001:DB8::7"], "2001:db8::7"),
        ("", ["127.0.0.1"], ""),
    ],
)
def test_only_a_proxy_that_is_named_is_believed(remote: str, forwarded: list[str], client: str) -> None:
    assert Proxies(["127.0.0.1", "10.0.0.0/8", "::1"]).client(remote, forwarded) == client
    assert Proxies([]).client(remote, forwarded) == remote


def test_a_proxy_that_is_no_address_is_a_wrong_setting() -> None:
    with pytest.raises(ConfigError, match="trusted-proxies"):
        Proxies(["proxy.example"])
