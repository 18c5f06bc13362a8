//! How paths and network addresses of a sandbox policy are spelled. Only spelling: this program runs no sandbox.

// From `core`, where addresses are only texts: nothing here can reach a network.
use core::net::{Ipv4Addr, Ipv6Addr};

/// Why a path may not stand in `filesystem`, or `None` where it may: absolute, in the home folder, or in the server's own
/// temporary folder, and never out of it.
pub(super) fn path_fault(path: &str) -> Option<&'static str> {
    let below = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if path.contains('\0') {
        Some("it holds a NUL")
    } else if !path.starts_with('/') && !below("~") && !below("${TMP}") {
        Some("it begins with none of /, ~/ and ${TMP}/")
    } else if path.split('/').any(|part| part == "..") {
        Some("it goes up with ..")
    } else {
        None
    }
}

/// Why an address may not stand in `network.allow`, or `None` where it may: a host, `*.` and a host, an IPv4 address or an
/// IPv6 address in brackets, each with a port.
pub(super) fn address_fault(address: &str) -> Option<&'static str> {
    let Some((host, port)) = address.rsplit_once(':') else { return Some("it has no port") };
    if !is_port(port) {
        return Some("its port is no number from 1 to 65535");
    }
    let is_host = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok() || is_host_name(host.strip_prefix("*.").unwrap_or(host)),
    };
    (!is_host).then_some("its host is no name, no *.name and no address")
}

fn is_port(port: &str) -> bool {
    let digits = port.bytes().all(|byte| byte.is_ascii_digit()) && !port.starts_with('0');
    digits && port.parse::<u16>().is_ok()
}

fn is_host_name(name: &str) -> bool {
    name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_where_they_begin() {
        for good in ["/", "/srv/data", "~", "~/notes", "${TMP}", "${TMP}/jobs", "/a..b/..c"] {
            assert_eq!(path_fault(good), None, "{good}");
        }
        for bad in ["", "notes", "./x", "~user/x", "${HOME}/x", "${TMP}x", "/a/../b", "~/..", "${TMP}/..", "/a\0"] {
            assert!(path_fault(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn addresses_name_a_host_and_a_port() {
        let long = format!("{}:1", ["a".repeat(63).as_str(); 3].join(".") + "." + &"b".repeat(61));
        for good in
            ["api.github.com:443", "*.example.com:443", "10.0.0.5:8080", "[::1]:9000", "a-b:1", "x:65535", &long]
        {
            assert_eq!(address_fault(good), None, "{good}");
        }
        let label = format!("{}:1", "a".repeat(64));
        let name = format!("{}:1", ["a".repeat(63).as_str(); 4].join("."));
        for bad in [
            "",
            "host",
            ":443",
            "*:443",
            "*.:443",
            "a.*.com:443",
            "**.com:443",
            "https://a.com:443",
            "a.com:",
            "a.com:0",
            "a.com:70000",
            "a.com:+1",
            "a.com:04",
            "-a.com:1",
            "a-.com:1",
            "a..b:1",
            "a_b:1",
            "::1:9000",
            "[::g]:1",
            "[10.0.0.5]:1",
            "a b:1",
            "a.com.:1",
            &label,
            &name,
        ] {
            assert!(address_fault(bad).is_some(), "{bad}");
        }
    }
}
