//! The laws, one function each.

use pm_mcp_domain::skill::{ContentDigest, SKILL_FILE, SkillFilePath, SkillFiles, SkillPath};
use pm_mcp_ports::feature::SkillSource;

use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshSkills;

async fn paths(source: &dyn SkillSource) -> Result<Vec<SkillPath>, Violation> {
    Ok(source.skills().await?.iter().map(|skill| skill.path().clone()).collect())
}

/// Whether the skill at `path` is found, and each file that it lists is as it says.
async fn reads_as_listed(source: &dyn SkillSource, path: &SkillPath) -> Outcome {
    let Some(skill) = source.skill(path).await? else {
        return Err(Violation::new(format!("{path} is not found")));
    };
    let SkillFiles::Listed(files) = skill.files() else {
        return Err(Violation::new(format!("{path} is dynamic, and the samples must not be")));
    };
    for file in files {
        let Some(bytes) = source.read(path, &file.path).await? else {
            return Err(Violation::new(format!("{path} lists {:?}, which reads as nothing", file.path)));
        };
        ensure!(
            ContentDigest::of(&bytes) == file.digest && u64::try_from(bytes.len()) == Ok(file.size),
            "{:?} of {path} reads as other bytes than those that are listed",
            file.path
        );
    }
    Ok(())
}

/// Whether these are neither listed nor found.
async fn are_left_out(source: &dyn SkillSource, left_out: &[SkillPath], what: &str) -> Outcome {
    let listed = paths(source).await?;
    for path in left_out {
        ensure!(!listed.contains(path), "{path}, which is {what}, is listed");
        ensure!(source.skill(path).await?.is_none(), "{path}, which is {what}, is found");
    }
    Ok(())
}

pub(super) async fn each_skill_is_listed_once_by_path(fresh: FreshSkills) -> Outcome {
    let mut wanted = fresh.samples.listed.clone();
    wanted.sort();
    let listed = paths(&*fresh.source).await?;
    ensure!(listed == wanted, "{listed:?} are listed in the place of {wanted:?}");
    Ok(())
}

pub(super) async fn every_listed_skill_is_found(fresh: FreshSkills) -> Outcome {
    for skill in fresh.source.skills().await? {
        let found = fresh.source.skill(skill.path()).await?;
        ensure!(found.as_ref() == Some(&skill), "{} is listed, and found as {found:?}", skill.path());
    }
    Ok(())
}

pub(super) async fn listed_files_read_as_listed(fresh: FreshSkills) -> Outcome {
    for path in &fresh.samples.listed {
        reads_as_listed(&*fresh.source, path).await?;
    }
    Ok(())
}

pub(super) async fn what_is_not_listed_reads_as_nothing(fresh: FreshSkills) -> Outcome {
    let (unlisted, main) = (SkillFilePath::parse("no/such.md")?, SkillFilePath::parse(SKILL_FILE)?);
    let unknown = SkillPath::parse("no-such-skill")?;
    for path in &fresh.samples.listed {
        let read = fresh.source.read(path, &unlisted).await?;
        ensure!(read.is_none(), "a file that {path} does not list reads as something");
    }
    ensure!(fresh.source.skill(&unknown).await?.is_none(), "a skill that is not there is found");
    let read = fresh.source.read(&unknown, &main).await?;
    ensure!(read.is_none(), "a file of a skill that is not there reads as something");
    Ok(())
}

pub(super) async fn a_bad_skill_takes_nothing_from_the_others(fresh: FreshSkills) -> Outcome {
    are_left_out(&*fresh.source, &fresh.samples.bad, "bad").await?;
    let listed = paths(&*fresh.source).await?;
    for path in &fresh.samples.listed {
        ensure!(listed.contains(path), "{path} is not listed beside bad ones");
        reads_as_listed(&*fresh.source, path).await?;
    }
    Ok(())
}

pub(super) async fn one_skill_is_loaded_by_itself(fresh: FreshSkills) -> Outcome {
    let Some(spoil_others) = &fresh.samples.spoil_others else { return Ok(()) };
    let Some(kept) = fresh.samples.listed.first() else { return Ok(()) };
    spoil_others(kept);
    reads_as_listed(&*fresh.source, kept).await
}

pub(super) async fn what_is_too_large_is_left_out(fresh: FreshSkills) -> Outcome {
    are_left_out(&*fresh.source, &fresh.samples.too_large, "too large").await
}

pub(super) async fn nothing_outside_is_read(fresh: FreshSkills) -> Outcome {
    // Also after a look at everything, which may remember places.
    for _ in 0..2 {
        for (path, file) in &fresh.samples.outside {
            let read = fresh.source.read(path, file).await?;
            ensure!(read.is_none(), "{file:?} of {path} leads out of the source and is read");
        }
        fresh.source.skills().await?;
    }
    Ok(())
}
