#!/usr/bin/env bash
# Runs `warden check` for the action (action.yml): options from variables, reports to a fresh folder, outputs, annotations
# and the summary of the job. Ends with the exit code of warden.
#
# Nothing that comes in is ever evaluated or split into words: a line is a word. Written for bash 3.2, which macOS has.
set -euo pipefail

# What warden itself would say about a usage error.
fail() {
    printf 'warden action: %s\n' "$1" >&2
    printf 'verdict=error\nexit-code=2\n' >>"$GITHUB_OUTPUT"
    exit 2
}

is_true() {
    case $2 in
    true) return 0 ;;
    false | '') return 1 ;;
    *) fail "$1 is either true or false" ;;
    esac
}

# An array without elements counts as unset in bash 3.2: hence the spelling ${name[@]+"${name[@]}"}.
words=()

# Adds each line of $2 as a word, after the option $1 if there is one.
add_lines() {
    local line
    while IFS= read -r line || [ -n "$line" ]; do
        [ -n "$line" ] || continue
        if [ -n "$1" ]; then
            words+=("$1=$line")
        else
            words+=("$line")
        fi
    done <<<"$2"
}

[ -n "${WARDEN_BIN:-}" ] || fail 'warden was not installed'
cd -- "${INPUT_WORKING_DIRECTORY:-.}" || fail 'there is no such working-directory'

# A fresh folder: a report that somebody committed is never taken for one of this run.
reports=$(mktemp -d "$RUNNER_TEMP/warden-report.XXXXXX")
json=$reports/warden.json
sarif=$reports/warden.sarif
markdown=$reports/warden.md
commands=$reports/warden.github

lock=${INPUT_LOCK:-warden.lock}
passing=clean
if is_true all "${INPUT_ALL:-}"; then
    [ "$lock" = warden.lock ] || fail 'all and lock contradict each other'
    lock=all
    words+=(check --all)
    if [ -n "${INPUT_SINCE:-}" ]; then
        words+=("--since=$INPUT_SINCE")
        # Nothing changed, so nothing was asked: that is what it is for.
        passing='clean not-asked'
    fi
else
    [ -z "${INPUT_SINCE:-}" ] || fail 'since goes with all only'
    words+=(check "--lock=$lock")
fi
words+=("--timeout=${INPUT_TIMEOUT:-180}")
words+=("--output=json=$json" "--output=sarif=$sarif" "--output=markdown=$markdown")
annotate=
if is_true annotations "${INPUT_ANNOTATIONS:-}"; then
    annotate=yes
    words+=("--output=github=$commands")
fi
summarize=
if is_true summary "${INPUT_SUMMARY:-}"; then
    summarize=yes
fi
if is_true require-approval "${INPUT_REQUIRE_APPROVAL:-}"; then
    words+=(--require-approval)
fi
[ -z "${INPUT_URL:-}" ] || words+=("--url=$INPUT_URL")
[ -z "${INPUT_BEARER_ENV:-}" ] || words+=("--bearer-env=$INPUT_BEARER_ENV")
add_lines --header-env "${INPUT_HEADER_ENV:-}"
add_lines --env "${INPUT_ENV:-}"
add_lines --output "${INPUT_OUTPUTS:-}"
add_lines '' "${INPUT_ARGS:-}"
if [ -n "${INPUT_COMMAND:-}" ]; then
    words+=(--)
    add_lines '' "$INPUT_COMMAND"
fi

# The runner obeys lines that begin with two colons, and a report quotes a stranger: until the token returns, it does
# not. Nobody can guess the token.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '::stop-commands::%s\n' "$token"
status=0
(
    # Files by which a step steers the job are not for warden, and not for the server that it starts.
    unset GITHUB_OUTPUT GITHUB_ENV GITHUB_PATH GITHUB_STATE GITHUB_STEP_SUMMARY
    # git-bash would rewrite words that look like paths.
    export MSYS_NO_PATHCONV=1 MSYS2_ARG_CONV_EXCL='*'
    exec "$WARDEN_BIN" "${words[@]}"
) </dev/null 2>&1 || status=$?
printf '\n::%s::\n' "$token"

verdict=error
if [ -f "$json" ]; then
    # The one member of this name at the top level; a line feed inside of a text would be escaped.
    found=$(sed -n 's/^  "verdict": "\([a-z-]*\)",\{0,1\}$/\1/p' "$json" | head -n 1)
    verdict=${found:-error}
fi
# Only a check that says so was clean: `--help` among the arguments ends with 0 too.
if [ "$status" -eq 0 ]; then
    case " $passing " in
    *" $verdict "*) ;;
    *)
        printf 'warden did not check anything: the verdict is %s\n' "$verdict"
        status=2
        ;;
    esac
fi
if [ -n "$annotate" ] && [ -f "$commands" ]; then
    cat -- "$commands"
fi
if [ -n "$summarize" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    # A step may write 1 MiB; more of it and the runner drops all.
    if [ -f "$markdown" ] && [ "$(wc -c <"$markdown")" -lt 1000000 ]; then
        cat -- "$markdown" >>"$GITHUB_STEP_SUMMARY"
    else
        printf '**warden: %s** (exit code %s). The log of the step says more.\n' "$verdict" "$status" \
            >>"$GITHUB_STEP_SUMMARY"
    fi
fi

path_if_there() {
    [ ! -f "$1" ] || printf '%s' "$1"
}

# Code scanning keeps results apart by category. A path may hold anything; an output may not.
category=$(printf '%s' "${INPUT_CATEGORY:-warden/${INPUT_WORKING_DIRECTORY:-.}/$lock}" |
    LC_ALL=C tr -c 'A-Za-z0-9._/-' '_')
{
    printf 'verdict=%s\n' "$verdict"
    printf 'exit-code=%s\n' "$status"
    printf 'json=%s\n' "$(path_if_there "$json")"
    printf 'sarif=%s\n' "$(path_if_there "$sarif")"
    printf 'markdown=%s\n' "$(path_if_there "$markdown")"
    printf 'category=%s\n' "$category"
} >>"$GITHUB_OUTPUT"

exit "$status"
