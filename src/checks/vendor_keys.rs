//! Keys that their issuers mark with a prefix, beyond the published patterns.
//!
//! The prefix alone proves nothing (`npm_package_name`), so length and randomness of the rest decide.

use super::entropy::is_placeholder;
use super::randomness::most_random_stretch;
use super::secrets::Hit;
use std::ops::Range;

/// The characters of a key after its prefix.
#[derive(Clone, Copy)]
enum Body {
    Hex,
    Alphanumeric,
    /// With `-` and `_`.
    Url,
    /// With `-`, `_` and `.`.
    Dotted,
    /// With `+`, `/`, `=`, `-` and `_`.
    Base64,
    /// Capitals, digits and `-`.
    Capitals,
}

impl Body {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-',
        }
    }
}

/// Prefix, characters and least length of the rest, issuer.
type Vendor = (&'static str, Body, usize, &'static str);

const VENDORS: &[Vendor] = &[
    ("1//0", Body::Url, 32, "a Google refresh token"),
    ("AGE-SECRET-KEY-1", Body::Capitals, 50, "an age identity"),
    ("AIza", Body::Url, 35, "a Google API key"),
    ("ASIA", Body::Capitals, 16, "a temporary AWS access key id"),
    ("ATATT3", Body::Base64, 60, "an Atlassian API token"),
    ("ATCTT3", Body::Base64, 60, "an Atlassian API token"),
    ("BSA", Body::Url, 27, "a Brave Search key"),
    ("CFPAT-", Body::Url, 40, "a Contentful token"),
    ("GOCSPX-", Body::Url, 24, "a Google client secret"),
    ("NRAK-", Body::Capitals, 24, "a New Relic key"),
    ("PMAK-", Body::Url, 40, "a Postman key"),
    ("SG.", Body::Dotted, 50, "a SendGrid key"),
    ("SK", Body::Hex, 32, "a Twilio key"),
    ("apify_api_", Body::Alphanumeric, 30, "an Apify token"),
    ("dckr_pat_", Body::Url, 24, "a Docker token"),
    ("doo_v1_", Body::Hex, 64, "a DigitalOcean token"),
    ("dop_v1_", Body::Hex, 64, "a DigitalOcean token"),
    ("dor_v1_", Body::Hex, 64, "a DigitalOcean token"),
    ("dp.pt.", Body::Alphanumeric, 38, "a Doppler token"),
    ("dp.st.", Body::Dotted, 38, "a Doppler token"),
    ("fc-", Body::Hex, 32, "a Firecrawl key"),
    ("figd_", Body::Url, 32, "a Figma token"),
    ("github_pat_", Body::Url, 40, "a GitHub token"),
    ("glcbt-", Body::Url, 20, "a GitLab token"),
    ("gldt-", Body::Url, 20, "a GitLab token"),
    ("glft-", Body::Url, 20, "a GitLab token"),
    ("glpat-", Body::Dotted, 20, "a GitLab token"),
    ("glptt-", Body::Url, 20, "a GitLab token"),
    ("glrt-", Body::Url, 20, "a GitLab token"),
    ("glsa_", Body::Url, 32, "a Grafana token"),
    ("gsk_", Body::Alphanumeric, 40, "a Groq key"),
    ("hf_", Body::Alphanumeric, 30, "a Hugging Face token"),
    ("hvs.", Body::Url, 24, "a Vault token"),
    ("jina_", Body::Url, 40, "a Jina key"),
    ("key-", Body::Hex, 32, "a Mailgun key"),
    ("lin_api_", Body::Alphanumeric, 32, "a Linear key"),
    ("npm_", Body::Alphanumeric, 36, "an npm token"),
    ("ntn_", Body::Alphanumeric, 40, "a Notion token"),
    ("nvapi-", Body::Url, 40, "an NVIDIA key"),
    ("phx_", Body::Alphanumeric, 40, "a PostHog key"),
    ("pplx-", Body::Alphanumeric, 40, "a Perplexity key"),
    ("pul-", Body::Hex, 40, "a Pulumi token"),
    ("pypi-AgE", Body::Url, 50, "a PyPI token"),
    ("r8_", Body::Alphanumeric, 36, "a Replicate token"),
    ("rk_live_", Body::Alphanumeric, 16, "a Stripe key"),
    ("rk_test_", Body::Alphanumeric, 16, "a Stripe key"),
    ("rubygems_", Body::Hex, 48, "a RubyGems key"),
    ("sb_secret_", Body::Url, 20, "a Supabase key"),
    ("sbp_", Body::Hex, 40, "a Supabase token"),
    ("secret_", Body::Alphanumeric, 40, "a Notion token"),
    ("shpat_", Body::Hex, 32, "a Shopify token"),
    ("shpca_", Body::Hex, 32, "a Shopify token"),
    ("shppa_", Body::Hex, 32, "a Shopify token"),
    ("shpss_", Body::Hex, 32, "a Shopify secret"),
    ("sk-ant-", Body::Url, 24, "an Anthropic key"),
    ("sk-or-v1-", Body::Hex, 64, "an OpenRouter key"),
    ("sk-proj-", Body::Url, 24, "an OpenAI key"),
    ("sk-svcacct-", Body::Url, 24, "an OpenAI key"),
    ("sk_live_", Body::Alphanumeric, 16, "a Stripe key"),
    ("sk_test_", Body::Alphanumeric, 16, "a Stripe key"),
    ("sntrys_", Body::Base64, 40, "a Sentry token"),
    ("sntryu_", Body::Hex, 64, "a Sentry token"),
    ("sq0csp-", Body::Url, 40, "a Square secret"),
    ("tvly-", Body::Url, 20, "a Tavily key"),
    ("whsec_", Body::Base64, 24, "a webhook secret"),
    ("xai-", Body::Alphanumeric, 60, "an xAI key"),
    ("xapp-", Body::Url, 30, "a Slack app token"),
    ("xkeysib-", Body::Url, 60, "a Brevo key"),
    ("xoxe.", Body::Dotted, 30, "a Slack token"),
    ("ya29.", Body::Url, 20, "a Google access token"),
];

/// Bits by which the rest must be more likely random than written. Low: the prefix has said most of it.
const LEAST_BITS: i32 = 8;

/// Characters of the rest that are judged: what a key is not after so many it is not later.
const JUDGED: usize = 100;

/// First bytes of all prefixes.
const FIRST: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < VENDORS.len() {
        table[VENDORS[i].0.as_bytes()[0] as usize] = true;
        i += 1;
    }
    table
};

/// Keys with a known prefix, reported as `WRD-SEC-ENTROPY`.
pub(super) fn find(text: &str, words: &[Range<usize>], found: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    for word in words {
        let mut at = word.start;
        while at < word.end {
            let begins = FIRST[usize::from(bytes[at])] && (at == word.start || !is_word_byte(bytes[at - 1]));
            match begins.then(|| key_at(bytes, at, word.end)).flatten() {
                Some((end, what)) => {
                    found.push(Hit { range: at..end, rule_id: "WRD-SEC-ENTROPY", what });
                    at = end;
                }
                None => at += 1,
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The end and issuer of a key that begins at `at`.
fn key_at(bytes: &[u8], at: usize, end: usize) -> Option<(usize, &'static str)> {
    let rest = &bytes[at..end];
    VENDORS.iter().find_map(|&(prefix, body, least, what)| {
        let key = rest.strip_prefix(prefix.as_bytes())?;
        let run = |key: &[u8]| key.iter().take_while(|&&byte| body.has(byte)).count();
        // Only a beginning is judged: prefixes can follow each other so closely that judging all of what follows each
        // of them would be quadratic.
        let judged = &key[..run(&key[..key.len().min(JUDGED)])];
        if judged.len() < least || is_placeholder(judged) || most_random_stretch(judged).bits < LEAST_BITS {
            return None;
        }
        let mut length = run(key);
        // A full stop after a key ends a sentence.
        while length > 0 && key[length - 1] == b'.' {
            length -= 1;
        }
        (length >= least).then_some((at + prefix.len() + length, what))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::entropy::long_words;

    fn find_in(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        find(text, &long_words(text), &mut found);
        found.into_iter().map(|hit| text[hit.range].to_owned()).collect()
    }

    #[test]
    fn prefixed_keys_are_found_whole_and_prefixed_words_are_not() {
        assert!(VENDORS.iter().all(|vendor| vendor.2 <= JUDGED));
        assert!(VENDORS.is_sorted_by_key(|vendor| vendor.0));
        let key = format!("sk_{}_{}", "live", "9vTq2LmX7bRz4KdW");
        assert_eq!(find_in(&format!("Pay with (`{key}`).")), std::slice::from_ref(&key));
        assert_eq!(find_in(&format!("STRIPE_KEY={key}.")), [key]);
        for text in [
            "npm_package_config_registry_mirror_default",
            "hf_transformersmodelrepositoryidentifier",
            "secret_managementserviceconfigurationprovider",
            "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
            "sk_test_YourSecretKeyGoesRightHere",
            "task_live_9vTq2LmX7bRz4KdW",
            "fc-00000000000000000000000000000000",
            "SKU-1234567890ABCDEF1234567890ABCDEF00",
        ] {
            assert_eq!(find_in(text), [] as [String; 0], "{text}");
        }
    }
}
