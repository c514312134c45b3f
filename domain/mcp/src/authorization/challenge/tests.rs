use super::*;
use proptest::prelude::*;
use std::format;
use std::string::ToString;

fn shown(value: &str) -> String {
    let challenges = read_challenges(value).unwrap();
    let shown: Vec<String> = challenges
        .iter()
        .map(|challenge| {
            let mut shown = challenge.scheme.clone();
            if let Some(token) = &challenge.token68 {
                shown.push_str(&format!(" <{token}>"));
            }
            for (name, value) in &challenge.parameters {
                shown.push_str(&format!(" {name}=[{value}]"));
            }
            shown
        })
        .collect();
    shown.join(" | ")
}

#[test]
fn legal_values_are_read() {
    for (value, expected) in [
        ("", ""),
        (" , ,", ""),
        ("Bearer", "Bearer"),
        ("Bearer, Basic", "Bearer | Basic"),
        (
            r#"Basic realm="r", Bearer scope="a b", resource_metadata="u""#,
            "Basic realm=[r] | Bearer scope=[a b] resource_metadata=[u]",
        ),
        (r#"bearer SCOPE = "a" ,	error=invalid_token"#, "bearer scope=[a] error=[invalid_token]"),
        (
            r#"Bearer error_description="say \"no\", \\ and, =", scope="""#,
            r#"Bearer error_description=[say "no", \ and, =] scope=[]"#,
        ),
        ("Negotiate abc==, Bearer scope=x", "Negotiate <abc==> | Bearer scope=[x]"),
        ("Bearer  realm=a,,  scope=b,", "Bearer realm=[a] scope=[b]"),
        (
            r#"DPoP algs="ES256", Bearer realm="DPoP x=y, Bearer scope=evil""#,
            "DPoP algs=[ES256] | Bearer realm=[DPoP x=y, Bearer scope=evil]",
        ),
        (r#"Bearer realm="ü""#, "Bearer realm=[ü]"),
        ("Bearer a=", "Bearer <a=>"),
    ] {
        assert_eq!(shown(value), expected, "{value}");
    }
}

#[test]
fn hostile_values_are_refused_whole() {
    let many = (0..=MOST_PARAMETERS).map(|number| format!("p{number}=x")).collect::<Vec<_>>().join(",");
    for (value, fault) in [
        (r#"Bearer resource_metadata="https://h"#.to_string(), ChallengeFault::Grammar),
        (r#"Bearer resource_metadata="https://h\"#.to_string(), ChallengeFault::Grammar),
        (r#"Bearer realm="a"scope="b""#.to_string(), ChallengeFault::Grammar),
        (r#"Bearer realm="a" scope="b""#.to_string(), ChallengeFault::Grammar),
        (r#"Bearer realm=a"b""#.to_string(), ChallengeFault::Grammar),
        ("Bearer scope=a b".to_string(), ChallengeFault::Grammar),
        ("Bearer =x".to_string(), ChallengeFault::Grammar),
        ("Bearer ==".to_string(), ChallengeFault::Grammar),
        ("\"Bearer\" scope=a".to_string(), ChallengeFault::Grammar),
        ("Negotiate a, b=c".to_string(), ChallengeFault::Grammar),
        ("Foo, a=b, Bearer c=d".to_string(), ChallengeFault::Grammar),
        ("=x".to_string(), ChallengeFault::Grammar),
        ("Bearer\u{a0}scope=a".to_string(), ChallengeFault::Grammar),
        ("Bearer realm=\u{ff42}".to_string(), ChallengeFault::Grammar),
        ("Bearer/scope=a".to_string(), ChallengeFault::Grammar),
        ("Bearer realm=\"a\r\nSet-Cookie: x\"".to_string(), ChallengeFault::Grammar),
        ("Bearer realm=\"a\0\"".to_string(), ChallengeFault::Grammar),
        ("Bearer realm=\"\\\n\"".to_string(), ChallengeFault::Grammar),
        (r#"Bearer scope="a", SCOPE="b""#.to_string(), ChallengeFault::Repeated),
        (
            r#"Bearer resource_metadata="https://a", resource_metadata="https://b""#.to_string(),
            ChallengeFault::Repeated,
        ),
        (format!("Bearer {many}"), ChallengeFault::TooMany),
        ("a,".repeat(MOST_CHALLENGES + 1), ChallengeFault::TooMany),
        (format!("Bearer realm=\"{}\"", "a".repeat(LONGEST_CHALLENGE)), ChallengeFault::TooLong),
    ] {
        assert_eq!(read_challenges(&value), Err(fault), "{value:.80}");
    }
}

fn quoted(value: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

proptest! {
    #[test]
    fn no_text_upsets_the_reader(value in "[ -~\t]{0,80}|\\PC{0,40}|(Bearer|Basic|[ ,=\"\\\\ab]){0,30}") {
        if let Ok(challenges) = read_challenges(&value) {
            prop_assert!(challenges.len() <= MOST_CHALLENGES);
        }
    }

    #[test]
    fn what_is_written_by_the_grammar_is_read_back(
        challenges in prop::collection::vec(
            ("[A-Za-z][A-Za-z0-9-]{0,8}", prop::collection::btree_map("[a-z][a-z_]{0,8}", "[ -~]{0,20}", 0..5)),
            0..5,
        ),
    ) {
        let written: Vec<String> = challenges
            .iter()
            .map(|(scheme, parameters)| {
                let parameters: Vec<String> =
                    parameters.iter().map(|(name, value)| format!("{name} = {}", quoted(value))).collect();
                format!("{scheme} {}", parameters.join(" , "))
            })
            .collect();
        let read = read_challenges(&written.join(",")).unwrap();
        prop_assert_eq!(read.len(), challenges.len());
        for (read, (scheme, parameters)) in read.iter().zip(challenges) {
            prop_assert_eq!(&read.scheme, &scheme);
            prop_assert_eq!(read.parameters.clone(), parameters.into_iter().collect::<Vec<_>>());
        }
    }
}
