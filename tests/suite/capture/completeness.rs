//! A list is complete, or the capture fails (SPEC.md §15).

use crate::support::replay::{Table, declares, error, result, tools, tools_then};
use std::time::Duration;
use warden::capture::{Deadline, Stage};
use warden::surface::Section;

const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

fn names(table: Table) -> Vec<String> {
    table.captured().surface.tools.iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn every_page_of_every_section_is_read() {
    let pages = |key: &str, id: &str| {
        [
            result(&format!(r#"{{"{key}":[{{"{id}":"a"}},{{"{id}":"b"}}],"nextCursor":"x\"y"}}"#)),
            result(&format!(r#"{{"{key}":[],"nextCursor":"z"}}"#)),
            result(&format!(r#"{{"{key}":[{{"{id}":"c"}}],"nextCursor":null}}"#)),
        ]
    };
    let mut table = Table::new().on("initialize", &[&declares(&["tools", "resources", "prompts"])]);
    for (key, id, method) in [
        ("tools", "name", "tools/list"),
        ("resources", "uri", "resources/list"),
        ("prompts", "name", "prompts/list"),
        ("resourceTemplates", "uriTemplate", "resources/templates/list"),
    ] {
        let pages = pages(key, id);
        table = table.on(method, &pages.each_ref().map(String::as_str));
    }
    let (outcome, sent) = table.run();
    let surface = outcome.expect("a surface").surface;
    let counts = (surface.tools.len(), surface.resources.len(), surface.prompts.len());
    assert_eq!((counts, surface.about.resource_templates.len()), ((3, 3, 3), 3));
    assert_eq!(sent[3], r#"{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"x\"y"}}"#);
}

#[test]
fn an_error_on_a_later_page_fails() {
    for code in [-32601, -32602, -32603] {
        let failed = Table::new()
            .on("tools/list", &[&tools_then(&["a"], "\"2\""), &error(code)])
            .settings(|settings| settings.allow_missing = Section::ALL.into())
            .failed();
        assert_eq!(failed.code(), "E-SERVER-ERROR");
        assert_eq!(failed.stage, Stage::List { section: Section::Tools, page: 2 });
        // Whether the section was declared makes no difference then.
        let failed =
            Table::new().on("prompts/list", &[&result(r#"{"prompts":[],"nextCursor":"2"}"#), &error(code)]).failed();
        assert_eq!(failed.stage, Stage::List { section: Section::Prompts, page: 2 });
    }
}

#[test]
fn cursors_that_lead_nowhere_fail() {
    let one = |cursor: &str| Table::new().on("tools/list", &[&tools_then(&["a"], cursor)]).failed();
    let stuck = one("\"8\\u001b\"");
    assert_eq!(stuck.code(), "E-CURSOR");
    assert_eq!(
        stuck.to_string(),
        "tools/list page 2: tools/list gave the cursor \"8⟨ESC⟩\" a second time, so its list can never be complete"
    );
    assert!(one("\"\"").to_string().contains("tools/list gave an empty cursor"));
    for cursor in ["7", "false", "{}", "[\"a\"]"] {
        assert!(one(cursor).to_string().contains("tools/list gave a cursor that is a"), "{cursor}");
    }
    // Also one that comes back later.
    let pages = [tools_then(&["a"], "\"1\""), tools_then(&["b"], "\"2\""), tools_then(&["c"], "\"1\"")];
    let late = Table::new().on("tools/list", &pages.each_ref().map(String::as_str)).failed();
    assert_eq!(late.stage, Stage::List { section: Section::Tools, page: 3 });
}

#[test]
fn exactly_so_many_pages_pass() {
    let pages = |count: usize| {
        let mut pages: Vec<String> =
            (1..count).map(|page| tools_then(&[&format!("t{page}")], &format!("\"{page}\""))).collect();
        pages.push(tools(&["last"]));
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        Table::new().on("tools/list", &pages)
    };
    assert_eq!(names(pages(256)).len(), 256);
    let failed = pages(257).failed();
    assert_eq!(failed.to_string(), "tools/list page 256: the limit max-pages (256 pages of one list) was passed");
}

#[test]
fn other_limits_are_named_too() {
    let page = tools_then(&["a", "b"], "\"a long cursor\"");
    let failed = |change: fn(&mut warden::capture::Limits)| {
        let table = Table::new().on("tools/list", &[&page, &tools(&["c"])]);
        table.settings(|settings| change(&mut settings.limits)).failed().to_string()
    };
    assert!(failed(|limits| limits.items = 2).contains("max-items (2 "));
    assert!(failed(|limits| limits.cursor_bytes = 5).contains("max-cursor-bytes (5 "));
    assert!(failed(|limits| limits.total_bytes = 200).contains("max-total-bytes (200 "));
}

#[test]
fn an_undeclared_section_may_refuse_its_first_page() {
    for code in [-32601, -32602, -32603, 0, 1] {
        let captured =
            Table::new().on("resources/list", &[&error(code)]).on("prompts/list", &[&error(code)]).captured();
        assert!(captured.surface.resources.is_empty() && captured.surface.prompts.is_empty());
        assert!(captured.missing.is_empty() && captured.warnings.is_empty());
    }
}

#[test]
fn an_undeclared_section_that_answers_counts() {
    let captured = Table::new().on("prompts/list", &[&result(r#"{"prompts":[{"name":"p"}]}"#)]).captured();
    assert_eq!(captured.surface.prompts[0].name(), "p");
    assert_eq!(captured.warnings, ["the server lists prompts that its handshake does not declare"]);
}

#[test]
fn a_declared_section_may_be_missing_only_by_permission() {
    let table = |code| {
        Table::new()
            .on("initialize", &[&declares(&["tools", "resources", "prompts"])])
            .on("resources/list", &[&result(r#"{"resources":[]}"#)])
            .on("prompts/list", &[&error(code)])
    };
    assert_eq!(table(-32601).failed().stage, Stage::List { section: Section::Prompts, page: 1 });
    let permit = |table: Table| table.settings(|settings| settings.allow_missing = [Section::Prompts].into());
    assert_eq!(permit(table(-32601)).captured().missing, [Section::Prompts].into());
    assert_eq!(permit(table(-32603)).failed().code(), "E-SERVER-ERROR");
    // The permission records nothing where nothing is missing.
    let answered = table(0).on("prompts/list", &[&result(r#"{"prompts":[]}"#)]);
    assert!(permit(answered).captured().missing.is_empty());
}

#[test]
fn an_answer_without_a_list_fails() {
    for answer in ["{}", "[]", "null", r#"{"tools":null}"#, r#"{"tools":{}}"#, r#"{"Tools":[]}"#] {
        let failed = Table::new().on("tools/list", &[&result(answer)]).failed();
        assert_eq!(failed.code(), "E-MALFORMED", "{answer}");
    }
    for answer in [r#""method":"ping","result":{"tools":[]}"#, r#""method":7,"result":{"tools":[]}"#, r#""x":1"#] {
        let failed = Table::new().on("tools/list", &[&format!(r#"{{"jsonrpc":"2.0","id":$ID,{answer}}}"#)]).failed();
        assert_eq!(failed.code(), "E-MALFORMED", "{answer}");
    }
}

#[test]
fn a_change_during_the_capture_means_listing_again() {
    let noisy = |names: &[&str]| format!("{CHANGED}\n{}", tools(names));
    // Announced while the list was asked for.
    assert_eq!(names(Table::new().on("tools/list", &[&noisy(&["a"]), &tools(&["a", "b"])])), ["a", "b"]);
    // Announced between two pages, with the cursor no longer valid.
    let moved = format!("{CHANGED}\n{}", tools_then(&["a"], "\"2\""));
    assert_eq!(names(Table::new().on("tools/list", &[&moved, &error(-32602), &tools(&["b"])])), ["b"]);
    // Announced after the list was done.
    let later = format!("{CHANGED}\n{}", error(-32601));
    assert_eq!(
        names(Table::new().on("tools/list", &[&tools(&["a"]), &tools(&["b"])]).on("prompts/list", &[&later])),
        ["b"]
    );
    // Announced right after the very last answer.
    let last = format!("{}\n{CHANGED}", error(-32601));
    assert_eq!(
        names(Table::new().on("tools/list", &[&tools(&["a"]), &tools(&["b"])]).on("prompts/list", &[&last])),
        ["b"]
    );
}

#[test]
fn a_list_that_does_not_settle_fails() {
    let noisy = |name: &str| format!("{CHANGED}\n{}", tools(&[name]));
    let lists: Vec<String> = ["a", "b", "c", "d", "e"].map(noisy).into();
    let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
    let failed = Table::new().on("tools/list", &lists).failed();
    assert_eq!(failed.code(), "E-UNSETTLED");
    assert!(failed.to_string().contains("kept changing its tools while they were listed (3 restarts)"), "{failed}");
    // A server that announces a change with every answer, but changes nothing, is settled.
    assert_eq!(names(Table::new().on("tools/list", &[&noisy("a")])), ["a"]);
    let after = format!("{}\n{CHANGED}", tools(&["a"]));
    let captured = Table::new().on("tools/list", &[&after]).captured();
    assert_eq!(captured.warnings, ["the server keeps announcing changes of its tools, but they stay the same"]);
}

#[test]
fn resource_templates_are_kept_but_never_a_reason_to_fail() {
    let table = |answer: &str| {
        Table::new()
            .on("initialize", &[&declares(&["resources"])])
            .on("resources/list", &[&result(r#"{"resources":[]}"#)])
            .on("tools/list", &[&error(-32601)])
            .on("resources/templates/list", &[answer])
    };
    let kept = table(&result(r#"{"resourceTemplates":[{"uriTemplate":"a{b}"},7]}"#)).captured();
    assert_eq!(kept.surface.about.resource_templates.len(), 2);
    assert_eq!(table(&error(-32601)).captured().warnings, Vec::<String>::new());
    for (answer, why) in [
        (error(-32603), "error -32603"),
        (result("{}"), "it has no resourceTemplates"),
        (result(r#"{"resourceTemplates":[],"nextCursor":""}"#), "empty cursor"),
        (result(r#"{"resourceTemplates":[{"x":9007199254740993}]}"#), "the integer 9007199254740993 is outside"),
        ("!exit 1".to_owned(), "exited with code 1"),
        (String::new(), "no answer within 2000 ms"),
    ] {
        let captured = table(&answer).captured();
        assert!(captured.surface.about.resource_templates.is_empty());
        assert_eq!(captured.warnings.len(), 1);
        assert!(captured.warnings[0].contains(why), "{:?}", captured.warnings);
    }
    // Nor do they use up the time that is left for the rest.
    let hurried = table("").settings(|settings| settings.deadline = Deadline::after(Duration::from_secs(1)));
    assert_eq!(hurried.captured().warnings.len(), 1);
    // Not asked for where resources are not declared.
    let (_, sent) = Table::new().run();
    assert!(!sent.iter().any(|message| message.contains("templates")));
}
