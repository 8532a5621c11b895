//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// needed returns the path of a program. If it is missing, the test is skipped, or fails in CI.
func needed(t *testing.T, name string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
	return found
}

// completions has the words that a shell offers for a typed line.
var completions = []struct {
	typed string
	want  []string
}{
	{"gander wh", []string{"why"}},
	{"gander help wh", []string{"why"}},
	{"gander config ", []string{"check", "init"}},
	{"gander call codex/", []string{"codex/grep_files", "codex/list_dir", "codex/read_file"}},
	{"gander call tr", []string{"tree"}},
	{"gander mcp --tools codex,toolkit/", []string{"codex,toolkit/tree"}},
	{"gander install cl", []string{"claude-code", "claude-desktop"}},
	{"gander why spa", []string{"space/"}},
	{"gander mcp --log-level w", []string{"warn"}},
	{"gander completion f", []string{"fish"}},
}

// workplace returns a directory to complete paths in.
func workplace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "space"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func shell(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(needed(t, name), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=dumb")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(out)
}

func TestBashCompletes(t *testing.T) {
	const library = "/usr/share/bash-completion/bash_completion"
	needed(t, "bash")
	if _, err := os.Stat(library); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("needs bash-completion: ", err)
	}
	dir := workplace(t)
	for _, c := range completions {
		got := strings.Fields(shell(t, dir, "bash", "--norc", "-c", `
source `+library+`
source <(gander completion bash)
COMP_LINE=$1
COMP_WORDS=($COMP_LINE)
[[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE} COMP_TYPE=9
__start_gander
(("${#COMPREPLY[@]}")) || compgen -f -- "${COMP_WORDS[COMP_CWORD]}" | sed 's|$|/|' # left to bash
printf '%s\n' "${COMPREPLY[@]}"`, "bash", c.typed))
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], `\,`, ",") // the same to bash
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
}

func TestFishCompletes(t *testing.T) {
	dir := workplace(t)
	for _, c := range completions {
		out := shell(t, dir, "fish", "--no-config", "-c",
			"gander completion fish | source; complete -C '"+c.typed+"'")
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if len(got) == 0 || word != got[0]+"." { // fish adds this to a single word.
				got = append(got, word)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
}

// zsh completes only on a terminal, so another zsh types the line.
func TestZshCompletes(t *testing.T) {
	dir := workplace(t)
	for _, c := range completions {
		if len(c.want) > 1 || strings.HasPrefix(c.typed, "gander c") {
			continue // zsh draws a menu, or the case is like another
		}
		out := shell(t, dir, "zsh", "-f", "-c", `
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'PS1=; autoload -Uz compinit && compinit -u -D; source <(gander completion zsh); echo rea""dy'
zpty -r typist line '*ready*'
zpty -w -n typist "$1"$'\t'
zpty -w typist $'\001print -r -- "[" "\005" "]"'
zpty -r -m typist line '*[[]*[]]*[[]*[]]*'
print -r -- "$line"`, "zsh", c.typed)
		if !strings.Contains(out, " "+c.want[0]) {
			t.Errorf("%q: %q lacks %q", c.typed, out, c.want)
		}
	}
}

func TestPowerShellCompletes(t *testing.T) {
	pwsh, err := exec.LookPath("pwsh")
	if err != nil {
		t.Skip("needs PowerShell, which few systems can install: ", err)
	}
	const script = "gander completion powershell | Out-String | Invoke-Expression; " +
		"(TabExpansion2 'gander wh' 9).CompletionMatches.CompletionText"
	out, err := exec.Command(pwsh, "-NoProfile", "-Command", script).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "why" {
		t.Errorf("%v: %q", err, out)
	}
}
