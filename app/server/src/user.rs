//! Whom a stdio server acts for.

use pm_mcp::Principal;

use crate::settings::Environment;

/// The user of the operating system who started this process.
///
/// Where the system tells it, the account of the process counts and not what the environment claims.
#[must_use]
pub fn local_principal(environment: &Environment) -> Principal {
    let claimed = || {
        ["USER", "LOGNAME", "USERNAME"]
            .into_iter()
            .find_map(|name| environment.value(name)?.to_str())
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
    };
    Principal::local(&account().or_else(claimed).unwrap_or_else(|| "unknown".to_owned()))
}

#[cfg(target_os = "linux")]
fn account() -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let id = std::fs::metadata("/proc/self").ok()?.uid();
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    Some(name_of(id, &accounts).unwrap_or_else(|| id.to_string()))
}

#[cfg(not(target_os = "linux"))]
fn account() -> Option<String> {
    None
}

/// The name of an account in the form of `passwd(5)`.
#[cfg(any(target_os = "linux", test))]
fn name_of(id: u32, accounts: &str) -> Option<String> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next().filter(|name| !name.is_empty())?;
        (fields.nth(1)?.parse() == Ok(id)).then(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_number() {
        let accounts = "root:x:0:0:root:/root:/bin/sh\n\nmira:x:1000:1000::/home/mira:/bin/sh\n::7:\n";
        assert_eq!(name_of(1000, accounts).as_deref(), Some("mira"));
        assert_eq!(name_of(7, accounts), None);
        assert_eq!(name_of(5, accounts), None);
    }

    #[test]
    fn the_principal_is_local() {
        let environment = Environment::new([("USER", "mira")]);
        assert!(local_principal(&environment).as_str().starts_with("local:"));
        #[cfg(target_os = "linux")]
        assert_eq!(local_principal(&environment), local_principal(&Environment::default()));
    }
}
