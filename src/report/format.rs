//! The formats that a report can be written in.

/// A format. The verdict and the exit code are the same in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    Human,
    /// One versioned document (docs/json-output.md).
    Json,
    /// The same facts, an object a line.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A comment for a pull request.
    Markdown,
    /// JUnit XML, for test reports.
    Junit,
    /// GitLab Code Quality.
    Gitlab,
}

impl Format {
    /// Every format, the one for people first.
    pub const ALL: [Self; 8] =
        [Self::Human, Self::Json, Self::Jsonl, Self::Sarif, Self::Github, Self::Markdown, Self::Junit, Self::Gitlab];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Markdown => "markdown",
            Self::Junit => "junit",
            Self::Gitlab => "gitlab",
        }
    }

    /// One line: what it is for.
    pub fn purpose(self) -> &'static str {
        match self {
            Self::Human => "Text for people",
            Self::Json => "One JSON document",
            Self::Jsonl => "JSON, an object a line",
            Self::Sarif => "SARIF 2.1.0, for code scanning",
            Self::Github => "Workflow commands of GitHub Actions: annotations and a step summary",
            Self::Markdown => "A comment for a pull or merge request",
            Self::Junit => "JUnit XML, for test reports",
            Self::Gitlab => "GitLab Code Quality",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}
