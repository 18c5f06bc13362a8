//! Numbers of peers' files: wide integers are checked by the rule of who wrote them, told, and never written.

use super::*;

/// A file whose tool `add` has this number, under digests that its writer computed through doubles.
fn with(token: &str) -> String {
    let mut entry = full();
    // Any double stands in for the number; the text gets the token afterwards.
    let double: f64 = token.parse().expect("a number");
    entry["tools"][0]["inputSchema"]["maximum"] = json!(double);
    let text = serde_json::to_string_pretty(&file_of(1, entry)).expect("JSON") + "\n";
    let spelled = format!("\"maximum\": {}", serde_json::to_string(&double).expect("a number"));
    assert!(text.contains(&spelled), "{spelled}");
    text.replace(&spelled, &format!("\"maximum\": {token}"))
}

#[test]
fn wide_integers_are_checked_as_their_writer_rounded_them_and_told() {
    for token in
        ["9007199254740993", "9007199254740992", "-9007199254740995", "18446744073709551615", "100000000000000000000"]
    {
        let file = load(&with(token)).unwrap_or_else(|error| panic!("{token}: {error}"));
        let notes = file.notes();
        assert!(notes.len() == 1 && notes[0].contains("tool \"add\"") && notes[0].contains("2^53-1"), "{notes:?}");
        // What was rounded is not what the server said, and no other format has this digest.
        assert!(file.surface("t").is_none());
        assert!(file.entries()[0].items.iter().all(|item| item.target != "tools/add" || item.fingerprint.is_none()));
    }
    // Within what a double holds there is nothing to say.
    for token in ["9007199254740991", "1e300", "9007199254740992.0"] {
        let file = load(&with(token)).expect("a file");
        assert_eq!(file.notes(), [""; 0], "{token}");
        assert!(file.surface("t").is_some() && file.entries()[0].items.iter().any(|item| item.fingerprint.is_some()));
    }
    // No double at all.
    let huge = with("1.5").replace("\"maximum\": 1.5", &format!("\"maximum\": {}", "9".repeat(400)));
    assert_eq!(refused_text(&huge).0, "invalid");
    // The digest still has to fit.
    let other = with("9007199254740993").replace("9007199254740993", "9007199254740999");
    assert_eq!(refused_text(&other).0, "corrupt");
}

#[test]
fn a_file_with_wide_integers_is_never_written_while_it_keeps_them() {
    let file = load(&with("9007199254740993")).expect("a file");
    let (launch, surface) = (launch(), surface_of(&full()));
    let new = [NewEntry { name: "other", launch: &launch, env: &[], surface: &surface }];
    let refusal = file.with(&new, NOW).expect_err("a refusal").to_string();
    assert!(
        refusal.contains("server \"t\"") && refusal.contains("tool \"add\"") && refusal.contains("2^53-1"),
        "{refusal}"
    );
    // Pinned anew, the entry has no such number any more.
    let healed = pinned(&*file, &full()).expect("a file");
    assert_eq!(load(&healed.text).expect("a file").notes(), [""; 0]);
    // The same double is not the same number.
    let mut same = full();
    same["tools"][0]["inputSchema"]["maximum"] = json!(9_007_199_254_740_992.0);
    let healed = pinned(&*file, &same).expect("a file").text;
    assert!(healed.contains("\"maximum\": 9007199254740992.0"), "{healed}");
}

#[test]
fn wide_integers_in_members_that_are_kept_stay_refused() {
    let text = serde_json::to_string_pretty(&file_of(1, full())).expect("JSON");
    let at_top = text.replacen('{', "{\"note\": 9007199254740993,", 1);
    let refusal = pinned(&*load(&at_top).expect("a file"), &full()).expect_err("a refusal").to_string();
    assert!(refusal.contains("the member \"note\""), "{refusal}");
    // A member that is called like a definition is none.
    let in_entry = text.replace("\"t\": {", "\"t\": {\"tool \\\"x\": [9007199254740993],");
    let file = load(&in_entry).expect("a file");
    let mut now = full();
    now["instructions"] = json!("x");
    assert!(pinned(&*file, &now).expect_err("a refusal").to_string().contains("2^53-1"));
}

#[test]
fn equal_doubles_are_equal_and_everything_else_is_not() {
    let compare = |locked: &str, now: Value| {
        let mut entry = full();
        entry["tools"][0]["inputSchema"]["maximum"] = now;
        told(&*load(&with(locked)).expect("a file"), &entry, Options::default())
    };
    for (locked, now) in
        [("1", json!(1.0)), ("1.0", json!(1)), ("0", json!(-0.0)), ("1e2", json!(100)), ("1e-400", json!(0))]
    {
        assert_eq!(compare(locked, now), [""; 0], "{locked}");
    }
    assert_eq!(compare("1", json!(1.000_000_1)).len(), 1);
    assert_eq!(compare("9007199254740991", json!(9_007_199_254_740_990_i64)).len(), 1);
}
