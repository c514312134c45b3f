//! A folder of skills as it comes: good ones, bad ones, and ones that change while they are served.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pm_mcp_domain::skill::{ContentDigest, Skill, SkillFilePath, SkillFiles, SkillLimits, SkillPath};
use pm_mcp_ports::feature::SkillSource;
use pm_mcp_skills_dir::{DirSkillLimits, DirSkillSource, EmbedError, EmbeddedSkillSource};

fn head(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for.\n---\n# {name}\n")
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, text).unwrap();
}

fn path(path: &str) -> SkillPath {
    SkillPath::parse(path).unwrap()
}

fn file(path: &str) -> SkillFilePath {
    SkillFilePath::parse(path).unwrap()
}

async fn names(source: &impl SkillSource) -> Vec<String> {
    source.skills().await.unwrap().iter().map(|skill| skill.path().to_string()).collect()
}

/// What every source owes, with whatever it holds (SK-01 to SK-03).
async fn keeps_the_laws(source: &impl SkillSource) {
    let skills = source.skills().await.unwrap();
    assert!(skills.is_sorted_by(|one, other| one.path() < other.path()), "each once, ordered by path");
    for skill in &skills {
        assert_eq!(source.skill(skill.path()).await.unwrap().as_deref(), Some(&**skill));
        let SkillFiles::Listed(files) = skill.files() else { continue };
        for listed in files {
            let bytes = source.read(skill.path(), &listed.path).await.unwrap().expect("a listed file");
            assert_eq!(ContentDigest::of(&bytes), listed.digest);
            assert_eq!(u64::try_from(bytes.len()).unwrap(), listed.size);
        }
        assert_eq!(source.read(skill.path(), &file("no/such.md")).await.unwrap(), None);
    }
    let unknown = path("no-such-skill");
    assert_eq!(source.skill(&unknown).await.unwrap(), None);
    assert_eq!(source.read(&unknown, &file("SKILL.md")).await.unwrap(), None);
}

#[tokio::test]
async fn good_skills_are_published_with_all_their_files() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "refunds/SKILL.md", head("refunds"));
    write(root.path(), "refunds/references/a b.md", "x");
    write(root.path(), "refunds/inner/SKILL.md", head("inner"));
    write(root.path(), "abc/SKILL.md", head("abc"));
    write(root.path(), "abc/data.bin", [0xff, 0x00]);
    write(root.path(), "no-skill/README.md", "nothing");
    write(root.path(), "loose.md", "nothing");
    let source = DirSkillSource::new(root.path());
    assert_eq!(names(&source).await, ["abc", "refunds"]);
    keeps_the_laws(&source).await;
    let refunds = source.skill(&path("refunds")).await.unwrap().unwrap();
    let files: Vec<&str> = refunds.paths().map(SkillFilePath::as_str).collect();
    assert_eq!(files, ["SKILL.md", "inner/SKILL.md", "references/a b.md"]);
    assert_eq!(refunds.description(), "What refunds is for.");
    assert_eq!(source.left_out().await.unwrap(), []);

    let team = DirSkillSource::new(root.path()).prefixed("team/one").of("team");
    assert_eq!(names(&team).await, ["team/one/abc", "team/one/refunds"]);
    assert_eq!(team.origin(), "team");
    keeps_the_laws(&team).await;
    assert_eq!(team.skill(&path("abc")).await.unwrap(), None);
}

#[tokio::test]
async fn bad_skills_are_left_out_with_the_reason_and_the_others_stay() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "good/SKILL.md", head("good"));
    write(root.path(), "other-name/SKILL.md", head("another"));
    write(root.path(), "Upper/SKILL.md", head("Upper"));
    write(root.path(), "no-head/SKILL.md", "# No front matter\n");
    write(root.path(), "no-yaml/SKILL.md", "---\nname: [\n---\n");
    write(root.path(), "no-words/SKILL.md", "---\nname: no-words\n---\n");
    write(root.path(), "no-text/SKILL.md", [0xff, 0xfe, 0x00]);
    write(root.path(), "long/SKILL.md", format!("{}{}", head("long"), "x".repeat(2_000)));
    write(root.path(), "many/SKILL.md", head("many"));
    for number in 0..5 {
        write(root.path(), &format!("many/{number}.md"), "x");
    }
    write(root.path(), "large/SKILL.md", head("large"));
    write(root.path(), "large/a.bin", vec![0; 4_000]);
    write(root.path(), "deep/SKILL.md", head("deep"));
    fs::create_dir_all(root.path().join("deep/1/2/3/4")).unwrap();
    let limits = DirSkillLimits {
        skills: 100,
        skill: SkillLimits { files: 5, bytes: 4_000 },
        skill_file_bytes: 1_000,
        depth: 3,
    };
    let source = DirSkillSource::new(root.path()).limits(limits);
    assert_eq!(names(&source).await, ["good"]);
    let left_out = source.left_out().await.unwrap();
    let reason = |name: &str| &left_out.iter().find(|(known, _)| known == name).expect(name).1;
    for (name, said) in [
        ("other-name", "name in the front matter is \"another\""),
        ("Upper", "\"Upper\" is no name of a skill"),
        ("no-head", "must begin with YAML front matter"),
        ("no-yaml", "the front matter cannot be read"),
        ("no-words", "description in the front matter must be"),
        ("no-text", "no UTF-8"),
        ("long", "SKILL.md has more than 1000 bytes"),
        ("many", "more than 5 files"),
        ("large", "more than 4000 bytes"),
        ("deep", "deeper than 3"),
    ] {
        assert!(reason(name).contains(said), "{name}: {}", reason(name));
    }
    assert_eq!(left_out.len(), 10);
    keeps_the_laws(&source).await;

    let few = DirSkillSource::new(root.path()).limits(DirSkillLimits { skills: 1, ..limits });
    assert_eq!(few.left_out().await.unwrap().len(), 11, "nothing beyond the limit is read");
}

#[cfg(unix)]
#[tokio::test]
async fn no_link_and_no_special_file_is_followed() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret", "secret");
    write(outside.path(), "linked/SKILL.md", head("linked"));
    let project = tempfile::tempdir().unwrap();
    let root = project.path().join("skills");
    write(&root, "good/SKILL.md", head("good"));
    write(&root, "file/SKILL.md", head("file"));
    symlink(outside.path().join("secret"), root.join("file/secret")).unwrap();
    write(&root, "folder/SKILL.md", head("folder"));
    symlink(outside.path(), root.join("folder/outside")).unwrap();
    write(&root, "dangling/SKILL.md", head("dangling"));
    symlink("nowhere", root.join("dangling/nowhere")).unwrap();
    fs::create_dir_all(root.join("main")).unwrap();
    symlink(outside.path().join("linked/SKILL.md"), root.join("main/SKILL.md")).unwrap();
    symlink(outside.path().join("linked"), root.join("linked")).unwrap();
    write(&root, "socket/SKILL.md", head("socket"));
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket/s")).unwrap();
    let source = DirSkillSource::new(&root).within(project.path());
    assert_eq!(names(&source).await, ["good"]);
    let left_out: Vec<String> = source.left_out().await.unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(left_out, ["dangling", "file", "folder", "linked", "main", "socket"]);
    for skill in ["file", "folder", "main", "linked"] {
        assert_eq!(source.skill(&path(skill)).await.unwrap(), None);
        assert_eq!(source.read(&path(skill), &file("SKILL.md")).await.unwrap(), None);
    }
    // A file that a link takes the place of after it was listed.
    keeps_the_laws(&source).await;
    fs::remove_file(root.join("good/SKILL.md")).unwrap();
    symlink(outside.path().join("secret"), root.join("good/SKILL.md")).unwrap();
    assert_eq!(source.read(&path("good"), &file("SKILL.md")).await.unwrap(), None);

    // A folder that is itself a link out of the project.
    symlink(outside.path(), project.path().join("elsewhere")).unwrap();
    let elsewhere = DirSkillSource::new(project.path().join("elsewhere"));
    assert_eq!(names(&elsewhere).await, ["linked"]);
    assert_eq!(names(&elsewhere.within(project.path())).await, [""; 0]);
}

#[tokio::test]
async fn what_changes_is_seen_at_the_next_look() {
    let root = tempfile::tempdir().unwrap();
    let source = DirSkillSource::new(root.path().join("skills"));
    assert_eq!(names(&source).await, [""; 0], "the folder is not there yet");
    let root = root.path().join("skills");
    write(&root, "a/SKILL.md", head("a"));
    let before = source.skill(&path("a")).await.unwrap().unwrap();
    let again = source.skill(&path("a")).await.unwrap().unwrap();
    assert!(Arc::ptr_eq(&before, &again), "what did not change is not read again");
    write(&root, "a/b.md", "one");
    write(&root, "c/SKILL.md", head("c"));
    assert_eq!(names(&source).await, ["a", "c"]);
    keeps_the_laws(&source).await;
    write(&root, "a/SKILL.md", format!("{}More.\n", head("a")));
    write(&root, "c/SKILL.md", "broken");
    assert_eq!(names(&source).await, ["a"]);
    keeps_the_laws(&source).await;
    let after: Arc<Skill> = source.skill(&path("a")).await.unwrap().unwrap();
    assert_ne!(before, after);
    write(&root, "c/SKILL.md", head("c"));
    fs::remove_dir_all(root.join("a")).unwrap();
    assert_eq!(names(&source).await, ["c"]);
    assert_eq!(source.read(&path("a"), &file("SKILL.md")).await.unwrap(), None);
}

#[tokio::test]
async fn skills_of_a_program_are_checked_when_they_are_added() {
    let main = head("greet");
    let files: &[(&str, &[u8])] = &[("SKILL.md", main.as_bytes()), ("references/x.md", b"x")];
    let source = EmbeddedSkillSource::new().with("demo/greet", files).unwrap();
    assert_eq!(names(&source).await, ["demo/greet"]);
    keeps_the_laws(&source).await;
    let twice = source.with("demo/greet", files).unwrap_err();
    assert_eq!(twice, EmbedError::Twice("demo/greet".to_owned()));
    for (path, files) in [
        ("demo/Greet", files),
        ("demo/other", files),
        ("demo/greet", &files[1..]),
        ("demo/greet", &[("../SKILL.md", main.as_bytes())]),
        ("demo/greet", &[("SKILL.md", b"no head".as_slice())]),
    ] {
        assert!(EmbeddedSkillSource::new().with(path, files).is_err(), "{path}");
    }
}
