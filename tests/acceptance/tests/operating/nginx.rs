//! A running nginx with the configuration of the page.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use pm_mcp_acceptance::PATIENCE;
use tempfile::TempDir;

use crate::page::{blocks, with};

/// The program, or why it cannot be started.
pub(crate) fn program() -> Result<PathBuf, String> {
    ["nginx", "/usr/sbin/nginx"]
        .into_iter()
        .find(|name| Command::new(name).arg("-v").output().is_ok_and(|told| told.status.success()))
        .map(PathBuf::from)
        .ok_or_else(|| "nginx is not installed; the package nginx has it".to_owned())
}

/// nginx in front of two workers. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Nginx {
    program: PathBuf,
    folder: TempDir,
    child: Child,
    address: SocketAddr,
}

impl Nginx {
    /// Starts it with the page's configuration, on a free port, in clear, and with the workers' ports.
    pub(crate) fn start(program: &Path, workers: [SocketAddr; 2]) -> Self {
        let folder = tempfile::Builder::new().prefix("pm-mcp-nginx").tempdir().unwrap();
        let site = blocks("nginx").remove(0);
        tls_is_taken(program, &site);
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let site = with(&site, "listen 443 ssl;", &format!("listen {address};"));
        let site = with(&site, "127.0.0.1:3001", &workers[0].to_string());
        let site = with(&site, "127.0.0.1:3002", &workers[1].to_string());
        let site: String = site
            .lines()
            .filter(|line| !line.contains("ssl_certificate"))
            .map(|line| format!("{line}\n"))
            .collect();
        let file = write(folder.path(), &site);
        let child = command(program, folder.path(), &file).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let log = fs::read_to_string(folder.path().join("error.log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "nginx does not listen: {log}");
            std::thread::yield_now();
        }
        Self { program: program.to_owned(), folder, child, address }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let file = self.folder.path().join("nginx.conf");
        let stopped = command(&self.program, self.folder.path(), &file).args(["-s", "stop"]).output();
        drop(stopped);
        drop(self.child.wait());
    }
}

/// nginx accepts the page's configuration as it is, with a certificate.
fn tls_is_taken(program: &Path, site: &str) {
    let folder = tempfile::Builder::new().prefix("pm-mcp-nginx").tempdir().unwrap();
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=tracker.example.com",
            "-keyout",
        ])
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        return eprintln!("SKIPPED nginx with TLS: openssl is not installed; the package openssl has it");
    }
    let site = with(site, "/etc/ssl/certs/tracker.example.com.pem", &certificate.display().to_string());
    let site = with(&site, "/etc/ssl/private/tracker.example.com.key", &key.display().to_string());
    let file = write(folder.path(), &site);
    let checked = command(program, folder.path(), &file).arg("-t").output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

/// The whole configuration, with everything that nginx writes in this folder.
fn write(folder: &Path, site: &str) -> PathBuf {
    let place = folder.display();
    let own: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|what| format!("    {what}_temp_path {place}/{what};\n"))
        .collect();
    fs::write(folder.join("site.conf"), site).unwrap();
    let whole = format!(
        "{}daemon off;\npid {place}/pid;\nerror_log {place}/error.log;\nevents {{}}\nhttp {{\n{own}    access_log off;\n    include {place}/site.conf;\n}}\n",
        // Its workers have to reach the folder, which is this user's.
        if is_root() { "user root;\n" } else { "" },
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, whole).unwrap();
    file
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").unwrap()) == 0
}

fn command(program: &Path, folder: &Path, file: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("-p").arg(folder).arg("-c").arg(file).arg("-e").arg(folder.join("error.log"));
    command
}
