//! Requests about resources, pages, names and progress.

use pm_mcp_acceptance::{HttpServer, Project, call, meta, request};
use serde_json::{Value, json};

#[test]
fn c84_names_are_matched_letter_for_letter() {
    let http = HttpServer::of(&Project::small());
    for name in ["PM_GET", "pm-get", "pm_gett"] {
        let refused = http.exchange(&call(7, name, json!({"id": "demo-q7aa"})));
        assert_eq!(refused.json()["error"]["code"], -32602, "{name:?}: {refused:?}");
    }
}

#[test]
fn c86_progress_needs_a_token_and_carries_it() {
    let http = HttpServer::of(&Project::small());
    let silent = http.exchange(&call(1, "pm_validate", json!({})));
    assert_eq!(silent.header("content-type"), "application/json");
    for token in [json!(0), json!("t")] {
        let mut meta = meta();
        meta["progressToken"] = token.clone();
        let arguments = json!({"name": "pm_validate", "arguments": {}, "_meta": meta});
        let reply = http.exchange(&request(1, "tools/call", arguments));
        assert_eq!(reply.header("content-type"), "text/event-stream");
        let text = String::from_utf8(reply.body).unwrap();
        let events = text.lines().filter_map(|line| line.strip_prefix("data:"));
        let events: Vec<Value> = events.map(|event| serde_json::from_str(event).unwrap()).collect();
        let (answer, reports) = events.split_last().unwrap();
        assert!(answer["result"].is_object() && !reports.is_empty(), "{text}");
        let mut before = f64::NEG_INFINITY;
        for report in reports {
            assert_eq!(report["params"]["progressToken"], token);
            let progress = report["params"]["progress"].as_f64().unwrap();
            assert!(progress > before, "{text}");
            before = progress;
        }
    }
}

#[test]
fn c87_no_spelling_of_a_path_leaves_the_workspace() {
    let http = HttpServer::of(&Project::small());
    let segments = ["..%2F..%2Fetc%2Fpasswd", "%2e%2e", "..\\", "C:%5Cx", "%00", "%252F", "\\\\host\\share"];
    for segment in segments {
        for form in ["pm://items/{}", "pm://items/{}/body", "pm://items/{}/history/1"] {
            let uri = form.replace("{}", segment);
            let answer = http.ask(&request(7, "resources/read", json!({"uri": uri})));
            assert_eq!(answer["error"]["code"], -32602, "{uri}: {answer}");
        }
    }
}

/// Files of a skill are resources under their own names.
#[test]
fn c88_files_whose_names_need_care_are_listed_and_read_with_one_uri() {
    let project = Project::small();
    let folder = project.root().join(".agents/skills/triage/notes of mine");
    std::fs::create_dir(&folder).unwrap();
    let mut names = vec![
        "bug#42 &v=2+rev?.md",
        "100%_done.txt",
        "100%25_done.txt",
        "日本 .md",
        "na\u{ef}ve.md",
        "nai\u{308}ve.md",
        "12:30 report.md",
        "[a]{b}|^`~'.md",
    ];
    for name in &names {
        std::fs::write(folder.join(name), format!("This is {name}.")).unwrap();
    }
    // A name that is a drive elsewhere could not be read as it is listed, so its skill is not listed at all.
    let elsewhere = project.root().join(".agents/skills/elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("SKILL.md"), "---\nname: elsewhere\ndescription: Has a drive.\n---\n")
        .unwrap();
    std::fs::write(elsewhere.join("C:drive.md"), "").unwrap();
    let http = HttpServer::of(&project);
    let skills = http.ask(&request(1, "skills/list", json!({})))["result"]["skills"].to_string();
    assert!(skills.contains("skill://triage/") && !skills.contains("elsewhere"), "{skills}");
    let directory = |uri: &str| {
        let answer = http.ask(&request(1, "resources/directory/read", json!({"uri": uri})));
        answer["result"]["resources"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
    };
    let skill = directory("skill://triage");
    let inner = skill.iter().find(|child| child["name"] == "notes of mine").unwrap();
    let files = directory(inner["uri"].as_str().unwrap());
    for file in &files {
        let (name, uri) = (file["name"].as_str().unwrap(), file["uri"].as_str().unwrap());
        // The same text is the value of the header that names what is read.
        let reply = http.exchange(&request(2, "resources/read", json!({"uri": uri})));
        let contents = reply.json()["result"]["contents"][0].clone();
        assert_eq!(contents["text"], format!("This is {name}."), "{uri}: {reply:?}");
        assert_eq!(contents["uri"], uri);
    }
    let mut listed: Vec<&str> = files.iter().map(|file| file["name"].as_str().unwrap()).collect();
    listed.sort_unstable();
    names.sort_unstable();
    assert_eq!(listed, names);
    let uris: std::collections::BTreeSet<&str> =
        files.iter().map(|file| file["uri"].as_str().unwrap()).collect();
    assert_eq!(uris.len(), names.len(), "each file has a URI of its own");
}

#[test]
fn c88_every_listed_uri_reads_as_it_is_listed() {
    let project = Project::small();
    for (name, id) in [("demo-b42x", "bug#42 &v=2+rev?"), ("demo-d10x", "100%_done"), ("demo-j11x", "日本")]
    {
        let time = "2026-03-01T08:00:00.000Z";
        let item = format!(
            "id: {name}\ntitle: \"{id}\"\ndescription: A name that needs care.\ntype: Task\nstatus: open\npriority: 4\n\
             tags[1]: \"{id}\"\ncreated_at: \"{time}\"\nupdated_at: \"{time}\"\nbody: \"\"\n"
        );
        project.write(&format!("tasks/{name}.toon"), &item);
    }
    let http = HttpServer::of(&project);
    let mut cursor = None;
    let mut read = 0;
    loop {
        let params = cursor.map_or_else(|| json!({}), |cursor: Value| json!({"cursor": cursor}));
        let page = http.ask(&request(1, "resources/list", params));
        for resource in page["result"]["resources"].as_array().unwrap() {
            let answer = http.exchange(&request(2, "resources/read", json!({"uri": resource["uri"]})));
            let answer = answer.json();
            assert_eq!(answer["result"]["contents"][0]["uri"], resource["uri"], "{answer}");
            read += 1;
        }
        match page["result"].get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert!(read >= 9, "{read} resources were read");
}
