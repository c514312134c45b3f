//! The folder: blocking work on its files.

use std::path::{Path, PathBuf};

use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::Credential;
use pm_mcp_ports::driven::{Revision, StoredCredential};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use zeroize::Zeroizing;

use crate::disk;
use crate::fault::{Fault, OpenError};
use crate::key::FileKey;

/// The longest file that is read, in bytes.
const LONGEST_FILE: u64 = 4 << 20;
/// Bytes of a revision in front of the credential.
const REVISION: usize = 8;

/// What a comparison and a change came to.
pub(crate) enum Change<T> {
    Made(T),
    Conflict,
}

pub(crate) struct Folder {
    path: PathBuf,
    key: FileKey,
    older: Vec<FileKey>,
    random: SystemRandom,
}

impl Folder {
    pub(crate) fn open(path: &Path, key: &[u8]) -> Result<Self, OpenError> {
        let key = FileKey::derive(key)?;
        let unusable = |source| OpenError::Folder { folder: path.to_owned(), source };
        disk::make_folder(path).map_err(unusable)?;
        if disk::is_open_to_others(path).map_err(unusable)? {
            return Err(OpenError::OpenToOthers { folder: path.to_owned() });
        }
        Ok(Self { path: path.to_owned(), key, older: Vec::new(), random: SystemRandom::new() })
    }

    pub(crate) fn reads_also(&mut self, key: &[u8]) -> Result<(), OpenError> {
        self.older.push(FileKey::derive(key)?);
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn hold_file(&self, issuer: &Issuer) -> PathBuf {
        self.file(issuer, "hold")
    }

    pub(crate) fn load(&self, issuer: &Issuer) -> Result<Option<StoredCredential>, Fault> {
        let path = self.file(issuer, "credential");
        let Some(sealed) = disk::read(&path, LONGEST_FILE).map_err(Fault::io("reading", &path))? else {
            return Ok(None);
        };
        let mut keys = std::iter::once(&self.key).chain(&self.older);
        let plain = keys.find_map(|key| key.open(issuer.as_str(), &sealed));
        let plain = plain.ok_or_else(|| Fault::Sealed(path.clone()))?;
        let (revision, credential) =
            plain.split_first_chunk::<REVISION>().ok_or_else(|| Fault::Form(path.clone()))?;
        let credential = Credential::decode(credential).map_err(|_| Fault::Form(path))?;
        Ok(Some(StoredCredential { credential, revision: Revision::from_u64(u64::from_be_bytes(*revision)) }))
    }

    pub(crate) fn save(
        &self,
        issuer: &Issuer,
        credential: &Credential,
        expected: Option<Revision>,
    ) -> Result<Change<Revision>, Fault> {
        let path = self.file(issuer, "credential");
        let encoded = credential.encode().map_err(|_| Fault::Form(path.clone()))?;
        let _writing = self.lock_for_writing()?;
        if self.revision(issuer)? != expected {
            return Ok(Change::Conflict);
        }
        // A random revision needs no memory of those before it, which a removal would take along.
        let revision = self.random_number()?;
        let mut plain = Zeroizing::new(Vec::with_capacity(REVISION + encoded.len()));
        plain.extend_from_slice(&revision.to_be_bytes());
        plain.extend_from_slice(&encoded);
        let sealed = self.key.seal(issuer.as_str(), &plain, &self.random).ok_or(Fault::Random)?;
        let temporary = path.with_extension(format!("{revision:016x}.new"));
        disk::replace(&path, &temporary, &sealed).map_err(Fault::io("writing", &path))?;
        Ok(Change::Made(Revision::from_u64(revision)))
    }

    pub(crate) fn remove(&self, issuer: &Issuer, expected: Revision) -> Result<Change<()>, Fault> {
        let path = self.file(issuer, "credential");
        let _writing = self.lock_for_writing()?;
        if self.revision(issuer)? != Some(expected) {
            return Ok(Change::Conflict);
        }
        disk::remove(&path).map_err(Fault::io("removing", &path))?;
        Ok(Change::Made(()))
    }

    fn revision(&self, issuer: &Issuer) -> Result<Option<Revision>, Fault> {
        Ok(self.load(issuer)?.map(|stored| stored.revision))
    }

    fn random_number(&self) -> Result<u64, Fault> {
        let mut bytes = [0; REVISION];
        self.random.fill(&mut bytes).map_err(|_| Fault::Random)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// Nobody else compares and replaces until the file is dropped; that takes one short write.
    fn lock_for_writing(&self) -> Result<std::fs::File, Fault> {
        let path = self.path.join("writing");
        let file = disk::lock_file(&path).map_err(Fault::io("opening", &path))?;
        file.lock().map_err(Fault::io("locking", &path))?;
        Ok(file)
    }

    fn file(&self, issuer: &Issuer, kind: &str) -> PathBuf {
        let name: String = digest(&SHA256, issuer.as_str().as_bytes())
            .as_ref()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.path.join(format!("{name}.{kind}"))
    }
}
