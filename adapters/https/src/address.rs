//! Which addresses may be connected to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far requests may reach. Names are judged by the addresses that they lead to.
///
/// Addresses of documents come from other servers, so a client that may reach everything can be led to a neighbour that
/// trusts it, such as the metadata service of a cloud.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// Addresses of the public internet only.
    #[default]
    Public,
    /// Those, and this very machine: for development.
    PublicAndLoopback,
    /// Every address, for servers of a private network that are trusted as much as this one.
    Everywhere,
}

impl Reach {
    pub(crate) fn allows(self, address: IpAddr) -> bool {
        match self {
            Self::Everywhere => true,
            Self::PublicAndLoopback => is_public(address) || is_loopback(address),
            Self::Public => is_public(address),
        }
    }
}

/// Whether the address is this very machine.
pub(crate) fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// The special-purpose registry of IPv4 (RFC 6890 and what followed it), without what is globally reachable.
const fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    )
}

/// Global unicast without what is set aside there. Addresses that carry one of IPv4 are judged by that.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => embedded(high, low),
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_judged_by_where_they_lead() {
        for (text, public) in [
            ("1.1.1.1", true),
            ("172.32.0.1", true),
            ("2606:4700:4700::1111", true),
            ("64:ff9b::101:101", true),
            ("0.0.0.0", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("127.0.0.1", false),
            ("169.254.169.254", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("192.0.2.1", false),
            ("198.18.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::ffff:10.0.0.1", false),
            ("::10.0.0.1", false),
            ("64:ff9b::a9fe:a9fe", false),
            ("2002:a00:1::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("fd00::1", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
            ("fd00:ec2::254", false),
        ] {
            assert_eq!(Reach::Public.allows(text.parse().unwrap()), public, "{text}");
            assert!(Reach::Everywhere.allows(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn loopback_may_be_added() {
        for (text, allowed) in
            [("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false)]
        {
            assert_eq!(Reach::PublicAndLoopback.allows(text.parse().unwrap()), allowed, "{text}");
        }
    }
}
