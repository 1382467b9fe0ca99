"""What is asked without a proxy: this machine and its net in all their names, and every form of NO_PROXY."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.proxies import is_direct

OWN = [
    *("localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.1.2.3", "127.255.255.254", "[::1]", "0.0.0.0"),  # noqa: S104 - nothing is bound
    *("[::ffff:127.0.0.1]", "host.docker.internal", "gateway.docker.internal", "host.containers.internal"),
    *("gpu.local", "studio.local.", "[::]"),
]


@pytest.mark.parametrize("host", OWN)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_this_machine_and_its_own_net_are_asked_directly(host: str, scheme: str) -> None:
    assert is_direct(f"{scheme}://{host}:8000/v1", "")
    assert is_direct(f"{scheme}://{host}/v1", "")


OTHERS = ["10.0.0.7", "128.0.0.1", "192.168.1.1", "local", "notlocal", "mylocalhost", "docker.internal", "[fe80::1]"]


@pytest.mark.parametrize("host", [*OTHERS, "localhost.example.com", "127.0.0.1.example.com", "api.openai.com"])
def test_others_are_asked_by_the_proxy(host: str) -> None:
    assert not is_direct(f"http://{host}:8000/v1", "")


CASES = [
    ("10.0.0.0/8", "10.4.5.6", True),
    ("10.0.0.0/8", "11.0.0.1", False),
    ("10.1.2.3/8", "10.200.0.1", True),  # with bits beside the range
    ("192.168.0.0/255.255.0.0", "192.168.7.7", True),
    ("fd00::/8", "[fd12::1]", True),
    ("fd00::/8", "10.0.0.1", False),
    ("[fd12::1]", "[fd12::1]", True),
    ("fd12::1", "[fd12::1]", True),
    ("fd12::1", "[fd12::2]", False),
    ("10.0.0.7", "10.0.0.7", True),
    ("10.0.0.7", "10.0.0.70", False),
    ("10.0.0.0/8", "[::ffff:10.0.0.7]", True),
    ("example.org", "example.org", True),
    ("example.org", "gpu.example.org", True),
    ("example.org", "notexample.org", False),
    (".example.org", "gpu.example.org", True),
    (".example.org", "example.org", True),
    ("*.example.org", "a.b.example.org", True),
    ("EXAMPLE.org", "gpu.Example.Org", True),
    ("example.org.", "gpu.example.org", True),
    ("example.org:8000", "example.org", True),
    ("example.org:443", "example.org", False),
    ("10.0.0.0/8:8000", "10.1.1.1", True),
    ("[fd12::1]:8000", "[fd12::1]", True),
    ("[fd12::1]:8001", "[fd12::1]", False),
    ("a.example, 10.0.0.0/8 ,b.example", "10.1.1.1", True),
    ("a.example b.example", "b.example", True),
    ("*", "api.openai.com", True),
    ("10.0.0.0/99", "10.0.0.1", False),
    ("10.0.0.0/8", "ten.example", False),
    (".", "example.org", False),
    (",,", "example.org", False),
    ("gpu-7", "gpu-7", True),
]


@pytest.mark.parametrize(("no_proxy", "host", "direct"), CASES)
def test_no_proxy_is_read_in_every_form_in_use(no_proxy: str, host: str, *, direct: bool) -> None:
    assert is_direct(f"http://{host}:8000/v1", no_proxy) is direct


def test_the_port_of_an_address_that_names_none_is_that_of_its_scheme() -> None:
    assert is_direct("https://example.org/v1", "example.org:443")
    assert not is_direct("http://example.org/v1", "example.org:443")


@given(st.ip_addresses(v=4), st.ip_addresses(v=4), st.integers(1, 32))
def test_a_range_covers_exactly_the_numbers_in_it(one: object, other: object, bits: int) -> None:
    inside = one in ip_network(f"{other}/{bits}", strict=False)
    assert inside <= is_direct(f"http://{one}/v1", f"{other}/{bits}")
    if not is_direct(f"http://{one}/v1", ""):
        assert is_direct(f"http://{one}/v1", f"{other}/{bits}") is inside


@given(st.text(max_size=40))
def test_whatever_stands_in_no_proxy_an_answer_comes(no_proxy: str) -> None:
    assert is_direct("http://gpu.example:8000/v1", no_proxy) in {True, False}
