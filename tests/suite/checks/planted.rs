//! Secrets: what is none stays silent, what is one is found wherever it stands.

use super::quiet_launch;
use std::collections::BTreeMap;
use warden::checks;
use warden::finding::Finding;
use warden::json::Object;
use warden::surface::Surface;

/// What the rules make of a surface with one description.
fn findings_of_description(description: &str) -> Vec<Finding> {
    let tool: Object = [("name", "fetch_report"), ("description", description)].into_iter().collect();
    let surface = Surface::from_entries(vec![tool.into()], vec![], vec![]).unwrap();
    checks::run(&surface, &quiet_launch())
}

fn secrets(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.rule_id.starts_with("WRD-SEC-")).collect()
}

/// The published entropy rule (SPEC.md §21.4), to show that the fixture is worth something.
fn published_entropy_rule_fires(text: &str) -> bool {
    let splits = |c: char| !(c.is_ascii_alphanumeric() || "+/_=.-".contains(c));
    text.split(splits).filter(|token| token.len() >= 24 && !token.contains('.')).any(|token| {
        let length = token.len() as f64;
        let mut counts = BTreeMap::new();
        token.bytes().for_each(|byte| *counts.entry(byte).or_insert(0.0) += 1.0);
        let entropy: f64 = counts.values().map(|count: &f64| -(count / length) * (count / length).log2()).sum();
        let plain = token.bytes().filter(u8::is_ascii_alphanumeric).count() as f64;
        plain / length >= 0.8 && entropy >= 4.0
    })
}

#[test]
fn what_only_looks_random_is_no_secret() {
    let lines = include_str!("../../fixtures/not-secrets.txt").lines().filter(|line| !line.starts_with('#'));
    let mut naive = 0;
    for line in lines {
        naive += usize::from(published_entropy_rule_fires(line));
        let findings = findings_of_description(line);
        assert!(secrets(&findings).is_empty(), "{line}\n{findings:#?}");
    }
    assert!(naive >= 20, "the fixture trips the published rule only {naive} times");
}

/// A small generator of our own (splitmix64): the same keys on every run and machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    fn draw(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet = alphabet.as_bytes();
        (0..length).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }
}

const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE36: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A kind of key: parts, each a literal or an alphabet with a length. Literals that a forge's scanner knows are cut in
/// two, so that no line of this file looks like a key.
type Kind = (&'static str, &'static [Part]);

enum Part {
    Text(&'static str),
    Drawn(&'static str, usize),
}

use Part::{Drawn, Text};

const KINDS: &[Kind] = &[
    ("hex 32", &[Drawn(HEX, 32)]),
    ("hex 40", &[Drawn(HEX, 40)]),
    ("hex 64", &[Drawn(HEX, 64)]),
    ("capital hex 40", &[Drawn("0123456789ABCDEF", 40)]),
    ("base36 32", &[Drawn(BASE36, 32)]),
    ("base36 48", &[Drawn(BASE36, 48)]),
    ("capitals 40", &[Drawn(CAPITALS, 40)]),
    ("base62 32", &[Drawn(BASE62, 32)]),
    ("base62 40", &[Drawn(BASE62, 40)]),
    ("base62 64", &[Drawn(BASE62, 64)]),
    ("base64 44", &[Drawn(BASE64, 43), Text("=")]),
    ("base64 88", &[Drawn(BASE64, 86), Text("==")]),
    ("base64url 43", &[Drawn(BASE64URL, 43)]),
    ("AWS secret key", &[Drawn(BASE64, 40)]),
    ("AWS key id", &[Text("AK"), Text("IA"), Drawn(CAPITALS, 16)]),
    ("AWS temporary key id", &[Text("AS"), Text("IA"), Drawn(CAPITALS, 16)]),
    ("own prefix, hex", &[Text("acme_"), Drawn(HEX, 32)]),
    ("own prefix, base62", &[Text("acme-prod-"), Drawn(BASE62, 36)]),
    ("OpenAI", &[Text("s"), Text("k-"), Drawn(BASE62, 48)]),
    ("OpenAI project", &[Text("s"), Text("k-proj-"), Drawn(BASE64URL, 64)]),
    ("Anthropic", &[Text("s"), Text("k-ant-api03-"), Drawn(BASE64URL, 80)]),
    ("GitHub", &[Text("gh"), Text("p_"), Drawn(BASE62, 36)]),
    ("GitHub fine-grained", &[Text("github"), Text("_pat_"), Drawn(BASE62, 22), Text("_"), Drawn(BASE62, 59)]),
    ("GitLab", &[Text("gl"), Text("pat-"), Drawn(BASE64URL, 20)]),
    ("Stripe live", &[Text("sk"), Text("_live_"), Drawn(BASE62, 24)]),
    ("Stripe restricted", &[Text("rk"), Text("_live_"), Drawn(BASE62, 24)]),
    ("Stripe hook", &[Text("wh"), Text("sec_"), Drawn(BASE62, 32)]),
    ("npm", &[Text("np"), Text("m_"), Drawn(BASE62, 36)]),
    ("PyPI", &[Text("pypi"), Text("-AgEIcHlwaS5vcmc"), Drawn(BASE64URL, 100)]),
    ("Hugging Face", &[Text("h"), Text("f_"), Drawn(LETTERS, 34)]),
    ("SendGrid", &[Text("S"), Text("G."), Drawn(BASE64URL, 22), Text("."), Drawn(BASE64URL, 43)]),
    ("Google API", &[Text("AI"), Text("za"), Drawn(BASE64URL, 35)]),
    ("Google access", &[Text("ya"), Text("29."), Drawn(BASE64URL, 60)]),
    ("Google client", &[Text("GOC"), Text("SPX-"), Drawn(BASE64URL, 28)]),
    ("Slack bot", &[Text("xo"), Text("xb-"), Drawn("0123456789", 12), Text("-"), Drawn(BASE62, 24)]),
    ("Slack app", &[Text("xa"), Text("pp-1-A"), Drawn(CAPITALS, 10), Text("-"), Drawn(HEX, 64)]),
    ("DigitalOcean", &[Text("dop"), Text("_v1_"), Drawn(HEX, 64)]),
    ("Shopify", &[Text("shp"), Text("at_"), Drawn(HEX, 32)]),
    ("Linear", &[Text("lin"), Text("_api_"), Drawn(BASE62, 40)]),
    ("Notion", &[Text("nt"), Text("n_"), Drawn(BASE62, 46)]),
    ("Figma", &[Text("fi"), Text("gd_"), Drawn(BASE64URL, 40)]),
    ("Tavily", &[Text("tv"), Text("ly-"), Drawn(BASE62, 32)]),
    ("Grafana", &[Text("gl"), Text("sa_"), Drawn(BASE62, 32), Text("_"), Drawn(HEX, 8)]),
    ("Docker", &[Text("dckr"), Text("_pat_"), Drawn(BASE64URL, 27)]),
    ("Twilio", &[Text("S"), Text("K"), Drawn(HEX, 32)]),
    ("Sentry", &[Text("sntr"), Text("yu_"), Drawn(HEX, 64)]),
    ("Vault", &[Text("hv"), Text("s."), Drawn(BASE64URL, 90)]),
    ("Telegram bot", &[Drawn("123456789", 10), Text(":AA"), Drawn(BASE64URL, 33)]),
    (
        "web token",
        &[
            Text("ey"),
            Text("J"),
            Drawn(BASE64URL, 33),
            Text("."),
            Drawn(BASE64URL, 90),
            Text("."),
            Drawn(BASE64URL, 43),
        ],
    ),
    ("Postgres URL", &[Text("postgres://svc:"), Drawn(BASE62, 16), Text("@db.acme.test:5432/main")]),
    ("MongoDB URL", &[Text("mongodb+srv://app:"), Drawn(BASE62, 12), Text("@cluster.acme.test/x")]),
    ("URL query", &[Text("https://api.acme.test/v1?api_key="), Drawn(BASE36, 24)]),
    (
        "Slack hook",
        &[
            Text("https://hooks.slack.com/"),
            Text("services/T"),
            Drawn(CAPITALS, 8),
            Text("/B"),
            Drawn(CAPITALS, 8),
            Text("/"),
            Drawn(BASE62, 24),
        ],
    ),
];

/// Shorter or plainer keys, which only their surroundings give away.
const NAMED_KINDS: &[Kind] = &[
    ("hex 24", &[Drawn(HEX, 24)]),
    ("base62 20", &[Drawn(BASE62, 20)]),
    ("base36 20", &[Drawn(BASE36, 20)]),
    ("lower 32", &[Drawn(LOWER, 32)]),
];

fn key(parts: &[Part], random: &mut Random) -> String {
    parts
        .iter()
        .map(|part| match part {
            Text(text) => (*text).to_owned(),
            Drawn(alphabet, length) => random.draw(alphabet, *length),
        })
        .collect()
}

#[test]
fn planted_keys_are_found_wherever_they_stand() {
    const EACH: usize = 40;
    assert!(KINDS.len() >= 40);
    let bare: &[&str] = &["Talks to the warehouse with {}.", "Internal build, {}", "{}", "(legacy: `{}`)"];
    let named: &[&str] =
        &["Uses the API key {} to connect.", "password: {}", "Authorization: Bearer {}", "ACME_TOKEN={}"];
    let mut random = Random(7);
    let mut missed = Vec::new();
    for (kinds, sentences) in [(KINDS, bare), (KINDS, named), (NAMED_KINDS, named)] {
        for (name, parts) in kinds {
            let mut misses = 0;
            for round in 0..EACH {
                let key = key(parts, &mut random);
                let text = sentences[round % sentences.len()].replace("{}", &key);
                let findings = findings_of_description(&text);
                if secrets(&findings).is_empty() {
                    misses += 1;
                    missed.push(format!("{name}: {text}"));
                }
            }
            // A drawn text reads like words now and then: one in forty may be missed.
            assert!(misses <= EACH / 20, "{name}: {misses} of {EACH} missed\n{missed:#?}");
        }
    }
    println!("planted keys missed: {missed:#?}");
    assert!(missed.len() <= 20, "{missed:#?}");
}
