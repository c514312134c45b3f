//! The store in a folder against every law, and what lies in the folder.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pm_mcp_contract::{CredentialStoreHarness, HarnessError, async_trait, credential_store_contract};
use pm_mcp_credentials_file::{FileCredentialStore, OpenError};
use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_domain::authorization::{
    ClientAuthentication, ClientRegistration, Credential, RegistrationOrigin, Secret, TokenSet,
};
use pm_mcp_ports::driven::{Applied, CredentialStore, Durability, Retry};
use tempfile::TempDir;

const KEY: [u8; 32] = [7; 32];

credential_store_contract!(InFolder);

struct InFolder;

#[async_trait]
impl CredentialStoreHarness for InFolder {
    type Guard = TempDir;

    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn fresh(&self) -> Result<(Arc<dyn CredentialStore>, TempDir), HarnessError> {
        let place = tempfile::tempdir()?;
        Ok((Arc::new(FileCredentialStore::open(place.path().join("credentials"), &KEY)?), place))
    }

    async fn share(&self, place: &mut TempDir) -> Result<Option<Arc<dyn CredentialStore>>, HarnessError> {
        Ok(Some(Arc::new(FileCredentialStore::open(place.path().join("credentials"), &KEY)?)))
    }
}

fn issuer(url: &str) -> Issuer {
    Issuer::parse(url).unwrap()
}

fn credential() -> Credential {
    let client = ClientRegistration {
        client_id: "the-client-id".to_owned(),
        authentication: ClientAuthentication::SecretPost(Secret::new("the-client-secret")),
        origin: RegistrationOrigin::Dynamic,
    };
    let tokens = TokenSet {
        access_token: Secret::new("the-access-token"),
        refresh_token: Some(Secret::new("the-refresh-token")),
        scopes: None,
        expires: None,
    };
    Credential::of(client).with_tokens(&Resource::parse("https://h/mcp").unwrap(), tokens)
}

fn files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().ends_with(kind)).collect()
}

fn said(fault: &dyn Error) -> String {
    let mut said = fault.to_string();
    let mut source = fault.source();
    while let Some(fault) = source {
        said.push_str(&format!(": {fault}"));
        source = fault.source();
    }
    said
}

#[tokio::test]
async fn nothing_lies_in_the_clear_and_nobody_else_may_look() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("a/credentials");
    let store = FileCredentialStore::open(&folder, &KEY).unwrap();
    let at = issuer("https://as.example");
    let revision = store.save(&at, &credential(), None).await.unwrap();
    store.save(&at, &credential(), Some(revision)).await.unwrap();
    drop(store.hold(&at).await.unwrap());
    for path in files(&folder, "") {
        let bytes = fs::read(&path).unwrap();
        for text in ["the-", "as.example", "client", "format", "https"] {
            assert!(!bytes.windows(text.len()).any(|part| part == text.as_bytes()), "{text} in {path:?}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
        }
    }
    assert_eq!(files(&folder, ".new"), Vec::<PathBuf>::new());
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_may_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o750)).unwrap();
    let refused = FileCredentialStore::open(place.path(), &KEY).unwrap_err();
    assert!(
        matches!(refused, OpenError::OpenToOthers { .. }) && refused.to_string().contains("chmod 700"),
        "{refused}"
    );
}

#[test]
fn a_short_key_is_refused_and_not_repeated() {
    let place = tempfile::tempdir().unwrap();
    let refused = FileCredentialStore::open(place.path().join("c"), b"short-secret").unwrap_err();
    assert!(matches!(refused, OpenError::KeyTooShort { length: 12 }), "{refused:?}");
    assert!(!format!("{refused:?} {refused}").contains("short-secret"));
    let older: [&[u8]; 1] = [b"short"];
    FileCredentialStore::open_with_older_keys(place.path().join("c"), &KEY, &older).unwrap_err();
}

#[tokio::test]
async fn what_was_written_with_an_older_key_is_read_and_written_anew() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("c");
    let at = issuer("https://as.example");
    let old = FileCredentialStore::open(&folder, &[1; 32]).unwrap();
    old.save(&at, &credential(), None).await.unwrap();
    let new = FileCredentialStore::open(&folder, &KEY).unwrap();
    let fault = new.load(&at).await.unwrap_err();
    assert_eq!((fault.applied, fault.retry), (Applied::No, Retry::Never));
    assert!(said(&fault).contains("written with another key"), "{}", said(&fault));
    let both = FileCredentialStore::open_with_older_keys(&folder, &KEY, &[&[1; 32]]).unwrap();
    let found = both.load(&at).await.unwrap().unwrap();
    assert_eq!(found.credential, credential());
    both.save(&at, &credential(), Some(found.revision)).await.unwrap();
    assert_eq!(new.load(&at).await.unwrap().unwrap().credential, credential());
}

#[tokio::test]
async fn no_changed_moved_or_cut_file_is_believed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("c");
    let store = FileCredentialStore::open(&folder, &KEY).unwrap();
    let [at, other] = [issuer("https://as.example"), issuer("https://attacker.example")];
    store.save(&at, &credential(), None).await.unwrap();
    let [path] = files(&folder, ".credential").try_into().unwrap();
    let good = fs::read(&path).unwrap();
    for place in 0..good.len() {
        let mut changed = good.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).unwrap();
        store.load(&at).await.unwrap_err();
        fs::write(&path, &good[..place]).unwrap();
        store.load(&at).await.unwrap_err();
    }
    // The file of one issuer in the place of another's.
    store.save(&other, &credential(), None).await.unwrap();
    let swapped = files(&folder, ".credential").into_iter().find(|found| *found != path).unwrap();
    fs::write(&swapped, &good).unwrap();
    store.load(&other).await.unwrap_err();
    fs::write(&path, &good).unwrap();
    assert_eq!(store.load(&at).await.unwrap().unwrap().credential, credential());
}

#[tokio::test]
async fn a_folder_that_went_away_is_said() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("c");
    let store = FileCredentialStore::open(&folder, &KEY).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let at = issuer("https://as.example");
    assert!(store.load(&at).await.unwrap().is_none());
    let fault = store.save(&at, &credential(), None).await.unwrap_err();
    assert!(said(&fault).contains("writing"), "{}", said(&fault));
    store.hold(&at).await.unwrap_err();
}
