package cli

import (
	"slices"
	"strings"
)

// A substitute is what to use instead of flags of other programs.
type substitute struct {
	flags string // names and letters, without hyphens and separated by spaces
	use   string
}

// substitutes has the flags that users of other programs expect, by command. Those of "" are expected
// of every command.
var substitutes = map[string][]substitute{
	"": {{"V version", "'gander --version'"}},
	"list": {
		{"t c u time", "'gander find --sort modified'"},
		{"s size k kibibytes block-size", "--details, which prints bytes"},
		{"S", "--details and 'sort -k 2 -n'"},
		{"r reverse v X sort group-directories-first", "'sort'"},
		{"tree T", "--recursive"},
		{"g G no-group o author n numeric-uid-gid i inode Z context time-style", "--details"},
		{"C x m w width format tabsize", "'column'"},
		{"I ignore B ignore-backups hide", "'gander find' with a PATTERN"},
		{"H dereference dereference-command-line dereference-command-line-symlink-to-dir", "a link as PATH"},
		{"b escape Q quote-name quoting-style D dired hyperlink hide-control-chars", "--json"},
	},
	"read": {
		{"details", "'gander list --details'"},
		{"r line-range", "PATH:10-40"},
		{"head", "--limit N"},
		{"tail", "--offset -N"},
		{"c bytes", "'head -c'"},
		{"A show-all e E show-ends t T show-tabs show-nonprinting", "'cat -A'"},
		{"b number-nonblank s squeeze-blank sleep-interval", "'cat -b' or 'cat -s'"},
		{"f follow F retry pid max-unchanged-stats", "'tail -f'"},
		{"z zero-terminated", "'head -z'"},
	},
	"find": {
		{"name iname path ipath regex regexp wholename iregex", "PATTERN"},
		{"type", "-t f or -t d"},
		{"s case-sensitive", "PATTERN with *, which is case-sensitive"},
		{"d max-depth maxdepth min-depth mindepth exact-depth prune", "'gander list --depth N'"},
		{"print", "no flag, because paths are printed"},
		{"print0", "-0"},
		{"x exec X exec-batch batch-size execdir ok delete", "-0 and 'xargs -0'"},
		{"max-results 1", "--limit"},
		{"l list-details ls format printf", "'gander list --details'"},
		{
			"changed-within newer changed-before older mtime mmin change-newer-than change-older-than " +
				"changed-after",
			"--sort modified",
		},
		{"S size o owner user group perm empty hyperlink", "--json"},
		{"E exclude not ignore-file and", "'grep -v'"},
		{"a absolute-path C base-directory search-path", "PATH"},
		{"L follow one-file-system mount xdev", "a link as PATH"},
		{"gen-completions", "'gander completion'"},
		{"no-require-git no-ignore-exclude", "--ignored"},
		{"c", "--color"},
	},
	"search": {
		{"v invert-match", "'grep -v'"},
		{"U multiline multiline-dotall null-data passthru passthrough", `PATTERN without \n`},
		{"L follow one-file-system", "a link as PATH"},
		{"f file", "-e PATTERN"},
		{"z search-zip pre pre-glob", "--documents for documents, or 'zcat FILE | gander search'"},
		{"rga-adapters rga-accurate rga-no-cache rga-max-archive-recursion", "--documents"},
		{"S smart-case", "-i"},
		{
			"iglob glob-case-insensitive type-add type-clear ignore-file ignore-file-case-insensitive " +
				"no-require-git max-depth d maxdepth max-filesize",
			"-g GLOB",
		},
		{"exclude exclude-from", "-g '!GLOB'"},
		{"exclude-dir", "-g '!DIR/'"},
		{"type-not T", "-g '!*.EXT'"},
		{"m max-count stop-on-nonmatch", "--limit"},
		{"files", "'gander find'"},
		{"files-without-match", "-l, and 'gander find' for all files"},
		{"x line-regexp", "PATTERN with ^ and $"},
		{
			"P perl-regexp pcre2 pcre2-version engine auto-hybrid-regex no-unicode no-pcre2-unicode",
			"PATTERN without it",
		},
		{"a text binary E encoding", "'gander read FILE | gander search'"},
		{
			"vimgrep column b byte-offset stats count-matches debug trace pretty p heading " +
				"context-separator field-context-separator field-match-separator include-zero",
			"--json",
		},
		{"replace trim", "-o and 'sed'"},
		{"M max-columns max-columns-preview", "'cut -c 1-N'"},
		{"type-list", "-t TYPE; a wrong TYPE is an error with a list"},
		{"no-messages", "-q"},
		{"colors hyperlink-format hostname-bin", "--color"},
		{"sortr", "'gander find --sort modified'"},
		{"generate", "'gander completion'"},
	},
	"mcp": {
		{"port p sse", "--http PORT"},
		{"host", "--http HOST:PORT"},
		{"transport", "--http PORT, or nothing for standard streams"},
		{"token", "--token-file FILE"},
	},
}

// substituteFor returns what to use instead of a flag of a command, or "".
func substituteFor(command, flag string) string {
	for _, s := range slices.Concat(substitutes[command], substitutes[""]) {
		if slices.Contains(strings.Fields(s.flags), flag) {
			return s.use
		}
	}
	return ""
}
