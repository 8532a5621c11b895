package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestFlagsOfOthers gives each command the flags of the programs that it resembles. A flag is
// accepted, or the error says what to use instead.
func TestFlagsOfOthers(t *testing.T) {
	for command, flags := range map[string]string{
		// rg
		"search": `-A -B -C -E -F -H -I -L -M -N -P -S -T -U -V -a -b -c -d -e -f -g -h -i -j -l -m -n -o
			-p -q -r -s -t -u -v -w -x -z -0 -. --after-context --auto-hybrid-regex --before-context --binary
--block-buffered --byte-offset --case-sensitive --color --colors --column --context
--context-separator --count --count-matches --crlf --debug --dfa-size-limit --encoding --engine
--field-context-separator --field-match-separator --file --files --files-with-matches
--files-without-match --fixed-strings --follow --generate --glob --glob-case-insensitive --heading
--help --hidden --hostname-bin --hyperlink-format --iglob --ignore-case --ignore-file
--ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number
--line-regexp --max-columns --max-columns-preview --max-count --max-depth --max-filesize --mmap
--multiline --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-dot
--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent
--no-ignore-vcs --no-line-number --no-messages --no-mmap --no-pcre2-unicode --no-require-git
--no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator
--pcre2 --pcre2-version --pre --pre-glob --pretty --quiet --regex-size-limit --regexp --replace
--search-zip --smart-case --sort --sort-files --sortr --stats --stop-on-nonmatch --text --threads
--trace --trim --type --type-add --type-clear --type-list --type-not --unrestricted --version
--vimgrep --with-filename --word-regexp`,
		// fd and find
		"find": `-0 -1 -C -E -F -H -I -L -S -V -X -a -c -d -e -g -h -i -j -l -o -p -q -s -t -u -x
--absolute-path --and --base-directory --batch-size --case-sensitive --changed-before
--changed-within --color --exact-depth --exclude --exec --exec-batch --extension --fixed-strings
--follow --format --full-path --gen-completions --glob --help --hidden --hyperlink --ignore-case
--ignore-file --list-details --max-buffer-time --max-depth --max-results --min-depth
--newer --no-global-ignore-file --no-ignore --no-ignore-parent --no-ignore-vcs --no-require-git
--older --one-file-system --owner --path-separator --print0 --prune --quiet --regex
--search-path --show-errors --size --strip-cwd-prefix --threads --type --unrestricted --version
-name -iname -path -maxdepth -mindepth -type -size -mtime -newer -exec -print -print0 -regex -delete
-empty -user -perm -prune`,
		// ls
		"list": `-1 -A -B -C -D -F -G -H -I -L -N -Q -R -S -T -U -X -Z -a -b -c -d -f -g -h -i -k -l -m -n
			-o -p -q -r -s -t -u -v -w -x --all --almost-all --author --block-size --classify --color --context
--dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory
--dired --escape --file-type --format --full-time --group-directories-first --help --hide
--hide-control-chars --human-readable --hyperlink --ignore --ignore-backups --indicator-style
--inode --kibibytes --literal --no-group --numeric-uid-gid --quote-name --quoting-style --recursive
--reverse --show-control-chars --size --sort --tabsize --time --time-style --version --width --zero
-lh -la -ltr`,
		// cat, head and tail
		"read": `-A -E -F -T -b -c -e -f -h -n -q -s -t -u -v -z --bytes --follow --help --lines
--max-unchanged-stats --number --number-nonblank --pid --quiet --retry --show-all --show-ends
--show-nonprinting --show-tabs --silent --sleep-interval --squeeze-blank --verbose --version
--zero-terminated`,
		"mcp": `--stdio --port -p --host --transport --sse`,
	} {
		for flag := range strings.FieldsSeq(flags) {
			err := parseFlag(t, command, flag)
			if err != nil && !strings.Contains(err.Error(), " use ") {
				t.Errorf("%s: %s", command, err)
			}
		}
	}
}

// parseFlag parses a flag with any value that it can have, and returns an error if there is none.
func parseFlag(t *testing.T, command, flag string) (err error) {
	t.Helper()
	for _, value := range []string{"1", "file", "path", "never", "info"} {
		root := Command()
		cmd, _, err := root.Find([]string{command})
		if err != nil {
			t.Fatal(err)
		}
		args := []string{flag, value}
		err = checkWords(root, append([]string{command}, args...))
		if err != nil {
			return err
		}
		err = cmd.ParseFlags(args)
		if err == nil || errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		if _, ok := errors.AsType[*pflag.InvalidValueError](err); !ok || value == "info" {
			return cmd.FlagErrorFunc()(cmd, err)
		}
	}
	return nil
}

// TestSubstitutes checks that each substitute is the advice for each of its flags, with one hyphen
// or two, and that the flags and the commands in it exist.
func TestSubstitutes(t *testing.T) {
	quoted := regexp.MustCompile(`'[^']*'`)
	command := ""
	for line := range strings.Lines(substitutes) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "); ok {
			command = strings.Replace(name, "all", "search", 1)
			continue
		}
		flags, use, _ := strings.Cut(line, ": ")
		for flag := range strings.FieldsSeq(flags) {
			one, two := parseFlag(t, command, "-"+flag), parseFlag(t, command, "--"+flag)
			advice := fmt.Sprint(one, two)
			if !strings.Contains(advice, "; use "+use+"; see ") {
				t.Errorf("%s %s: %s", command, flag, advice)
			}
		}
		for word := range strings.FieldsSeq(quoted.ReplaceAllString(use, "")) {
			flag := strings.TrimSuffix(word, ",")
			if !strings.HasPrefix(flag, "-") {
				continue
			}
			if err := parseFlag(t, command, flag); err != nil {
				t.Errorf("%s: the advice %s: %v", command, use, err)
			}
		}
		for _, line := range quoted.FindAllString(use, -1) {
			words := strings.Fields(strings.Trim(line, "'"))
			if words[0] != "gander" {
				continue
			}
			if _, rest, err := Command().Find(words[1:]); err != nil {
				t.Errorf("%s: %v, %q", line, err, rest)
			}
		}
	}
}
