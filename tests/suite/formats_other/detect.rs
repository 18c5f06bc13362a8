//! Which format a text is of.

use super::{NOW, four, pinned, refused, stdio};
use warden::formats::{Dialect, Format, detect, empty, empty_agentgate, read};

fn texts() -> Vec<(Format, String)> {
    let launch = stdio(&["server"]);
    vec![
        (Format::Contractpin, pinned(&*empty(Format::Contractpin), "s", &launch, &four(), NOW).text),
        (Format::Agentgate, pinned(&*empty(Format::Agentgate), "s", &launch, &four(), NOW).text),
        (Format::Agentgate, pinned(&empty_agentgate(Dialect::Published), "s", &launch, &four(), NOW).text),
        (Format::Mcp, r#"{"lockfileVersion": 1, "generator": "x 1", "servers": {}}"#.to_owned()),
        (Format::Agentgate, r#"{"servers": {"a": {"surfaceHash": 1}}, "lockfileVersion": 1}"#.to_owned()),
        (Format::Agentgate, r#"{"lockfileVersion": 9, "servers": {"a": {"toolSurfaceHash": 1}}}"#.to_owned()),
    ]
}

#[test]
fn content_decides_and_white_space_and_order_do_not() {
    for (format, text) in texts() {
        assert_eq!(detect(text.as_bytes()), Some(format), "{text}");
        assert_eq!(detect(super::reversed(&super::parsed(&text)).to_string().as_bytes()), Some(format), "{text}");
        assert_eq!(detect(format!("\u{feff}\n {text}").as_bytes()), Some(format));
    }
}

#[test]
fn a_file_that_is_broken_further_down_has_a_format_and_an_error_about_it() {
    for (format, text) in texts().into_iter().take(3) {
        let cut = &text[..text.len() - 40];
        let twice = text.replacen("{\n", "{\n  \"x\": 1,\n  \"x\": 2,\n", 1);
        let bytes = [cut.as_bytes(), b"\xff}"].concat();
        for broken in [cut, &twice] {
            assert_eq!(detect(broken.as_bytes()), Some(format), "{broken}");
            assert_eq!(refused(format, broken).0, "invalid");
        }
        assert_eq!(detect(&bytes), Some(format));
        assert!(read(format, &bytes).is_err());
    }
}

#[test]
fn other_texts_have_no_format() {
    let both = r#"{"contractpin": "1", "lockfileVersion": 1, "generatedBy": "x"}"#;
    let warden = r#"{"schema_version": 4, "overall_digest": "sha256:0", "contractpin": "1"}"#;
    for text in [
        "",
        "{}",
        "[]",
        "null",
        "\"contractpin\"",
        "[{\"contractpin\": \"1\"}]",
        "{\"lockfileVersion\": 3, \"packages\": {}}",
        "{\"lockfileVersion\": 1, \"servers\": {\"a\": [\"surfaceHash\"]}}",
        "{\"servers\": {\"a\": {\"surfaceHash\": 1}}}",
        both,
        warden,
        "contractpin = 1",
        "\u{0}",
    ] {
        assert_eq!(detect(text.as_bytes()), None, "{text}");
    }
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/levels/level-4.lock");
    assert_eq!(detect(&std::fs::read(lock).expect("a lock")), None);
}

#[test]
fn what_a_format_is_called_and_how_it_ends_is_in_one_table() {
    for format in Format::ALL {
        assert_eq!(empty(format).format(), format);
        assert_eq!(format.to_string(), format.file_name());
        assert!(format.file_name().starts_with(format.name()));
    }
    let table = |format: Format| format.exit_table();
    let contractpin = table(Format::Contractpin);
    assert_eq!((contractpin.drift, contractpin.invalid, contractpin.not_captured), (1, 2, 1));
    assert_eq!(table(Format::Agentgate), contractpin);
}
