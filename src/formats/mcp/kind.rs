//! The four kinds of definitions that an entry keeps.

/// One of the four lists, in the order of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::Templates];

    /// The member of an entry, and of its digests, that holds them.
    pub fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// The member of a definition that is its identity.
    pub fn key(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }

    pub fn singular(self) -> &'static str {
        match self {
            Self::Tools => "tool",
            Self::Prompts => "prompt",
            Self::Resources => "resource",
            Self::Templates => "resource template",
        }
    }

    /// The target of a definition in reports; raw.
    pub fn target(self, key: &str) -> String {
        let family = match self {
            Self::Templates => "resource-templates",
            _ => self.member(),
        };
        format!("{family}/{key}")
    }

    /// The classes of drift of one that was added, changed, removed.
    pub fn classes(self) -> [&'static str; 3] {
        match self {
            Self::Tools => ["pinned-tool-added", "pinned-tool-changed", "pinned-tool-removed"],
            _ => ["pinned-entry-added", "pinned-entry-changed", "pinned-entry-removed"],
        }
    }
}
