//! Skills as clients see them, with and without the extension.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp::{
    CachePolicy, ContentDigest, Context, HandlerFault, NoArguments, Output, Resource, ResourcePage,
    ResourceSource, Server, Skill, SkillFile, SkillFilePath, SkillFiles, SkillLimits, SkillPath, SkillSource,
    ToolError, async_trait, tool,
};
use serde_json::{Map, Value, json};

use crate::support::{Peer, nothing, stage};

/// Skills in memory, made as a host would.
#[derive(Debug, Default)]
struct Shelf {
    skills: BTreeMap<SkillPath, Arc<Skill>>,
    files: BTreeMap<(SkillPath, SkillFilePath), Vec<u8>>,
    unlisted: Option<SkillPath>,
    broken: bool,
}

impl Shelf {
    fn with(mut self, path: &str, more: Value, files: &[(&str, &[u8])]) -> Self {
        let path = SkillPath::parse(path).unwrap();
        let mut front_matter: Map<String, Value> = more.as_object().unwrap().clone();
        front_matter.insert("name".to_owned(), json!(path.name()));
        front_matter.insert("description".to_owned(), json!(format!("What {} is for.", path.name())));
        let main = format!("---\n{}\n---\n", json!(front_matter)).into_bytes();
        let mut listed = Vec::new();
        for (name, bytes) in files.iter().copied().chain([("SKILL.md", &*main)]) {
            let file = SkillFilePath::parse(name).unwrap();
            let size = u64::try_from(bytes.len()).unwrap();
            listed.push(SkillFile { path: file.clone(), digest: ContentDigest::of(bytes), size });
            self.files.insert((path.clone(), file), bytes.to_vec());
        }
        self.add(path, front_matter, SkillFiles::Listed(listed))
    }

    fn add(mut self, path: SkillPath, front_matter: Map<String, Value>, files: SkillFiles) -> Self {
        let skill = Skill::new(path.clone(), front_matter, files, &SkillLimits::default()).unwrap();
        self.skills.insert(path, Arc::new(skill));
        self
    }
}

#[async_trait]
impl SkillSource for Shelf {
    fn origin(&self) -> &str {
        "shelf"
    }

    async fn skills(&self) -> Result<Vec<Arc<Skill>>, HandlerFault> {
        if self.broken {
            return Err(HandlerFault::internal("the shelf fell down"));
        }
        let listed = self.skills.iter().filter(|(path, _)| Some(*path) != self.unlisted.as_ref());
        Ok(listed.map(|(_, skill)| Arc::clone(skill)).collect())
    }

    async fn skill(&self, path: &SkillPath) -> Result<Option<Arc<Skill>>, HandlerFault> {
        Ok(self.skills.get(path).cloned())
    }

    async fn read(&self, skill: &SkillPath, file: &SkillFilePath) -> Result<Option<Vec<u8>>, HandlerFault> {
        Ok(self.files.get(&(skill.clone(), file.clone())).cloned())
    }
}

fn shelf() -> Shelf {
    let dynamic = SkillPath::parse("reports/daily").unwrap();
    let head = json!({"name": "daily", "description": "Today."}).as_object().unwrap().clone();
    let files = SkillFiles::Dynamic(vec![SkillFilePath::parse("SKILL.md").unwrap()]);
    let mut shelf = Shelf::default()
        .with(
            "acme/refunds",
            json!({"license": "MIT", "metadata": {"n": 1.5, "mcp-protocol": "2026-07-28"}}),
            &[("templates/a b.md", b"A"), ("templates/eu/b.json", b"{}"), ("logo.png", &[0x89, 0xff])],
        )
        .with("acme/hidden", json!({}), &[])
        .with("acme/old", json!({"metadata": {"mcp-protocol": "2025-11-25"}}), &[])
        .with("acme/later", json!({"metadata": {"scenes": "2"}}), &[])
        .add(dynamic.clone(), head, files);
    shelf
        .files
        .insert((dynamic, SkillFilePath::parse("SKILL.md").unwrap()), b"---\nname: daily\n---".to_vec());
    shelf.unlisted = Some(SkillPath::parse("acme/hidden").unwrap());
    shelf
}

fn server() -> Server {
    let plain = tool("plain", "Works without any extension.");
    let plain = plain.handler(|_, _: NoArguments| async { Ok::<_, ToolError>(Output::text("works")) });
    let second = Shelf::default().with("acme/refunds", json!({}), &[]).with("zeta", json!({}), &[]);
    stage()
        .0
        .tool(plain)
        .skills(shelf())
        .skills(second)
        .skills_cache(CachePolicy::public(300_000))
        .build()
        .unwrap()
}

async fn listed(peer: &Peer) -> Vec<Value> {
    let mut skills = Vec::new();
    let mut params = json!({});
    loop {
        let heard = peer.ask(1, "skills/list", params).await;
        let result = heard.result();
        assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(300_000), &json!("public")));
        skills.extend(result["skills"].as_array().unwrap().clone());
        match result.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return skills,
        }
    }
}

#[tokio::test]
async fn skills_are_listed_source_by_source_with_everything_that_verifies_them() {
    for peer in Peer::both(&server()) {
        let heard = peer.ask(1, "server/discover", json!({})).await;
        let offered = &heard.result()["capabilities"];
        assert_eq!(offered["extensions"], json!({"io.modelcontextprotocol/skills": {"directoryRead": true}}));
        assert!(offered["resources"].is_object());

        let skills = listed(&peer).await;
        let uris: Vec<&str> = skills.iter().map(|skill| skill["uri"].as_str().unwrap()).collect();
        let wanted =
            ["skill://acme/refunds/SKILL.md", "skill://reports/daily/SKILL.md", "skill://zeta/SKILL.md"];
        assert_eq!(uris, wanted, "an unlisted one, and two that are for something else, are not there");
        let refunds = &skills[0];
        assert_eq!(refunds["frontmatter"]["metadata"]["n"], 1.5);
        assert_eq!(refunds["frontmatter"]["license"], "MIT");
        let files: Vec<&str> = refunds["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["uri"].as_str().unwrap())
            .collect();
        assert_eq!(
            files,
            [
                "skill://acme/refunds/SKILL.md",
                "skill://acme/refunds/logo.png",
                "skill://acme/refunds/templates/a%20b.md",
                "skill://acme/refunds/templates/eu/b.json",
            ]
        );
        assert_eq!(skills[1]["resources"], "dynamic");
        assert_eq!(refunds["_meta"]["pm-mcp/origin"], "shelf");
        assert_eq!(refunds["_meta"]["pm-mcp/untrusted"], true);
        for skill in &skills {
            let heard = peer.ask(2, "skills/get", json!({"uri": skill["uri"]})).await;
            assert_eq!(&heard.result()["skill"], skill);
            assert_eq!((&heard.result()["ttlMs"], heard.result().get("nextCursor")), (&json!(300_000), None));
        }
        let heard = peer.ask(2, "skills/get", json!({"uri": "skill://acme/hidden/SKILL.md"})).await;
        assert_eq!(heard.result()["skill"]["frontmatter"]["name"], "hidden");
    }
}

#[tokio::test]
async fn every_listed_file_reads_as_the_listed_bytes() {
    for peer in Peer::both(&server()) {
        for skill in listed(&peer).await {
            for file in skill["resources"].as_array().into_iter().flatten() {
                let heard = peer.ask(1, "resources/read", json!({"uri": file["uri"]})).await;
                let contents = &heard.result()["contents"][0];
                assert_eq!(contents["uri"], file["uri"]);
                match contents["text"].as_str() {
                    Some(text) => {
                        assert_eq!(json!(ContentDigest::of(text.as_bytes())), file["digest"]);
                        assert_eq!(json!(text.len()), file["size"]);
                    }
                    None => assert_eq!(contents["blob"], "if8="),
                }
            }
        }
        let heard = peer.ask(1, "resources/read", json!({"uri": "skill://acme/refunds/SKILL.md"})).await;
        assert_eq!(heard.result()["contents"][0]["mimeType"], "text/markdown");
        assert_eq!(heard.result()["cacheScope"], "public");
        let heard =
            peer.ask(1, "resources/read", json!({"uri": "skill://acme/refunds/templates/a%20b.md"})).await;
        assert_eq!(heard.result()["contents"][0]["text"], "A");
        let heard = peer.ask(1, "resources/read", json!({"uri": "skill://reports/daily/SKILL.md"})).await;
        assert!(heard.result()["contents"][0]["text"].as_str().unwrap().contains("daily"));
    }
}

#[tokio::test]
async fn a_folder_tells_its_direct_children() {
    for peer in Peer::both(&server()) {
        let children = async |uri: &str| {
            let heard = peer.ask(1, "resources/directory/read", json!({"uri": uri})).await;
            let children = heard.result()["resources"].as_array().unwrap().clone();
            assert_eq!(heard.result()["resultType"], "complete");
            children
        };
        let of_skill = children("skill://acme/refunds").await;
        let names: Vec<&str> = of_skill.iter().map(|child| child["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["refunds", "logo.png", "templates"]);
        assert_eq!(of_skill[0]["mimeType"], "text/markdown");
        assert_eq!(of_skill[0]["description"], "What refunds is for.");
        assert_eq!(
            of_skill[2],
            json!({
                "uri": "skill://acme/refunds/templates", "name": "templates", "mimeType": "inode/directory",
            })
        );
        let deeper = children("skill://acme/refunds/templates").await;
        assert_eq!(deeper[1]["uri"], "skill://acme/refunds/templates/eu");
        assert_eq!(children("skill://acme/refunds/templates/eu").await[0]["mimeType"], "application/json");
        let prefix = children("skill://acme").await;
        assert_eq!(prefix[0]["uri"], "skill://acme/refunds");
        assert_eq!(children("skill://reports/daily").await.len(), 1);
        for (uri, params) in [
            ("skill://acme/refunds/SKILL.md", None),
            ("skill://acme/refunds/", None),
            ("skill://acme/refund", None),
            ("skill://acme/../acme", None),
            ("skill://", None),
            ("file:///etc", None),
            ("skill://acme/refunds", Some("bm8")),
        ] {
            let params = params.map_or(json!({"uri": uri}), |cursor| json!({"uri": uri, "cursor": cursor}));
            let heard = peer.ask(1, "resources/directory/read", params).await;
            assert_eq!(heard.code(), -32602, "{uri}");
        }
    }
}

#[tokio::test]
async fn what_is_not_served_is_said_so() {
    for peer in Peer::both(&server()) {
        for uri in [
            "skill://acme/none/SKILL.md",
            "skill://acme/refunds",
            "skill://acme/refunds/logo.png",
            "skill://acme/refunds/skill.md",
            "skill://acme/%72efunds/SKILL.md",
            "skill://acme/old/SKILL.md",
            "skill://acme/later/SKILL.md",
            "file:///acme/refunds/SKILL.md",
            "",
        ] {
            let heard = peer.ask(1, "skills/get", json!({"uri": uri})).await;
            assert_eq!(heard.code(), -32602, "{uri}");
            assert!(heard.message().starts_with("no skill is served at "), "{}", heard.message());
        }
        for params in [json!({}), json!({"uri": 7})] {
            assert_eq!(peer.ask(1, "skills/get", params).await.code(), -32602);
        }
        for uri in [
            "skill://acme/refunds/other.md",
            "skill://acme/refunds/templates",
            "skill://acme/refunds/../refunds/SKILL.md",
            "skill://acme/refunds/%2e%2e/SKILL.md",
            "skill://acme/old/SKILL.md",
            "skill://acme",
        ] {
            let heard = peer.ask(1, "resources/read", json!({"uri": uri})).await;
            assert_eq!((heard.code(), &heard.error()["data"]["uri"]), (-32602, &json!(uri)));
        }
    }
}

/// Resources of a host's own, ten of them.
#[derive(Debug)]
struct Ten;

#[async_trait]
impl ResourceSource for Ten {
    async fn list(
        &self,
        _: Context,
        position: Option<&str>,
        limit: usize,
    ) -> Result<ResourcePage, HandlerFault> {
        let begin: usize = position.map_or(0, |position| position.parse().unwrap());
        let end = (begin + limit).min(10);
        let resources = (begin..end).map(|number| Resource {
            uri: format!("demo://{number}"),
            name: number.to_string(),
            ..Resource::default()
        });
        Ok(ResourcePage { resources: resources.collect(), next: (end < 10).then(|| end.to_string()) })
    }
}

#[tokio::test]
async fn a_client_without_the_extension_finds_every_skill_among_the_resources() {
    let only_skills = stage().0.skills(shelf()).build().unwrap();
    for (server, before) in
        [(only_skills, 0), (stage().0.skills(shelf()).resource_source(Ten).build().unwrap(), 10)]
    {
        for size in [1, 3, 5, 50] {
            let server = match before {
                0 => server.clone(),
                _ => stage().0.skills(shelf()).resource_source(Ten).resource_page_size(size).build().unwrap(),
            };
            let peer = Peer::http(&server);
            let mut found = Vec::new();
            let mut params = json!({});
            loop {
                let heard = peer.ask(1, "resources/list", params).await;
                let result = heard.result();
                found.extend(result["resources"].as_array().unwrap().clone());
                match result.get("nextCursor") {
                    Some(cursor) => params = json!({"cursor": cursor}),
                    None => break,
                }
            }
            assert_eq!(found.len(), before + 2, "pages of {size}");
            let refunds = &found[before];
            assert_eq!(
                (&refunds["name"], &refunds["mimeType"], &refunds["description"]),
                (&json!("refunds"), &json!("text/markdown"), &json!("What refunds is for."))
            );
        }
    }
    let peer = Peer::stdio(&server());
    assert_eq!(peer.able(json!({})).call("plain", nothing()).await.text(), "works");
}

#[tokio::test]
async fn many_skills_come_page_by_page_and_none_is_split() {
    let mut many = Shelf::default();
    for number in 0..120 {
        many = many.with(&format!("s{number:03}"), json!({}), &[("a.md", b"a"), ("b.md", b"b")]);
    }
    let server = stage().0.skills(many).skills_cache(CachePolicy::public(300_000)).build().unwrap();
    for peer in Peer::both(&server) {
        let skills = listed(&peer).await;
        assert_eq!(skills.len(), 120);
        assert!(skills.is_sorted_by(|one, other| one["uri"].as_str() < other["uri"].as_str()));
        assert!(skills.iter().all(|skill| skill["resources"].as_array().unwrap().len() == 3));
        let first = peer.ask(1, "skills/list", json!({})).await;
        assert_eq!(first.result()["skills"].as_array().unwrap().len(), 50);
        let cursor = first.result()["nextCursor"].clone();
        let stranger = peer.acting_for("bob").ask(1, "skills/list", json!({"cursor": cursor})).await;
        assert_eq!(stranger.code(), -32602);
        assert_eq!(peer.ask(1, "skills/list", json!({"cursor": "made-up"})).await.code(), -32602);
    }
}

#[tokio::test]
async fn a_source_that_fails_is_an_internal_error_and_no_empty_list() {
    let server = stage().0.skills(Shelf { broken: true, ..Shelf::default() }).build().unwrap();
    for peer in Peer::both(&server) {
        for (method, params) in [("skills/list", json!({})), ("resources/list", json!({}))] {
            let heard = peer.ask(1, method, params).await;
            assert_eq!(heard.code(), -32603);
            assert!(!heard.message().contains("shelf"), "{}", heard.message());
        }
    }
}
