//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander"
)

// needed is the path of another program that a test needs. Where everything must be tested, it must be there.
func needed(t *testing.T, name string) string {
	t.Helper()
	found, err := exec.LookPath(name)
	if err != nil && os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip("needs ", name, ": ", err)
	}
	return found
}

// completions are what is typed, up to where the key is pressed, and what the shell then offers.
var completions = []struct {
	typed string
	want  []string
}{
	{"gander wh", []string{"why"}},
	{"gander config ", []string{"check", "init", "show"}},
	{"gander call codex/", []string{"codex/list_dir", "codex/read_file"}},
	{"gander call tr", []string{"tree"}},
	{"gander tools --format ", []string{"anthropic", "gemini", "mcp", "openai", "openai-responses"}},
	{"gander tree --as ", []string{"codex", "forge", "gemini", "toolkit"}},
	{"gander why --tools codex,toolkit/", []string{"codex,toolkit/tree"}},
	{"gander config show limits.m", []string{"limits.max_calls", "limits.max_output_bytes", "limits.memory_bytes"}},
	{"gander config show --set limits.t", []string{"limits.timeout="}},
	{"gander why --root space d", []string{"dir/"}},
	{"gander why --root space dir/", []string{"dir/deep/", "dir/x.go"}},
	{"gander why spa", []string{"space/"}},
	{"gander man confi", []string{"config"}},
	{"gander completion f", []string{"fish"}},
}

// workplace is a directory to complete paths in.
func workplace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "space/dir/deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "space/dir/x.go"), nil, 0o600); err != nil {
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
		out := shell(t, dir, "fish", "--no-config", "-c", "gander completion fish | source; complete -C "+"'"+c.typed+"'")
		var got []string
		for line := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if len(got) == 0 || word != got[0]+"." { // what keeps fish from setting a blank after the only word
				got = append(got, word)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.typed, got, c.want)
		}
	}
}

// zsh completes only where somebody types, so a zsh does.
func TestZshCompletes(t *testing.T) {
	dir := workplace(t)
	for _, c := range completions {
		if len(c.want) > 1 || strings.HasPrefix(c.typed, "gander c") {
			continue // it draws a menu, or is much like another
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
	out, err := exec.Command(pwsh, "-NoProfile", "-Command",
		"gander completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'gander wh' 9).CompletionMatches.CompletionText").CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "why" {
		t.Errorf("%v: %q", err, out)
	}
}

// What completion and suggestions take for the tools is what there is.
func TestToolIDs(t *testing.T) {
	ts, err := gander.Open(gander.Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer ts.Close()
	var want, families []string
	for _, d := range ts.Definitions() {
		want = append(want, d.ID)
		families = append(families, d.Dialect())
	}
	if got := toolIDs(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	slices.Sort(families)
	if got := dialects(); !slices.Equal(got, slices.Compact(families)) {
		t.Errorf("dialects %q, not %q", got, slices.Compact(families))
	}
}
