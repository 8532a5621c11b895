//go:build unix

package cli

import (
	"os"
	"os/exec"
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

// TestShellsComplete completes words in every shell. The test scripts check other words.
func TestShellsComplete(t *testing.T) {
	bash := []string{"bash", "--norc", "-c", `
source /usr/share/bash-completion/bash_completion || exit
source <(gander completion bash)
COMP_LINE=$1
COMP_WORDS=($COMP_LINE)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE} COMP_TYPE=9
__start_gander
(("${#COMPREPLY[@]}")) || compgen -f -- "${COMP_WORDS[COMP_CWORD]}" # left to bash
printf '%s\n' "${COMPREPLY[@]}"`, "bash"}
	fish := []string{
		"fish", "--no-config", "-c", "gander completion fish | source; complete -C $argv[1]",
	}
	// zsh completes only on a terminal, so another zsh types the line.
	zsh := []string{"zsh", "-f", "-c", `
zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist 'PS1=; autoload -Uz compinit && compinit -u -D
source <(gander completion zsh); echo rea""dy'
zpty -r typist line '*ready*'
zpty -w -n typist "$1"$'\t'
zpty -w typist $'\001print -r -- "[" "\005" "]"'
zpty -r -m typist line '*[[]*[]]*[[]*[]]*'
print -r -- "$line"`, "zsh"}
	powershell := []string{"pwsh", "-NoProfile", "-Command", "gander completion powershell | " +
		"Out-String | Invoke-Expression; $line = $args[0]; " +
		"(TabExpansion2 $line $line.Length).CompletionMatches.CompletionText"}
	for _, shell := range [][]string{bash, fish, zsh, powershell} {
		t.Run(shell[0], func(t *testing.T) {
			if _, err := exec.LookPath("pwsh"); err != nil && shell[0] == "pwsh" {
				t.Skip("few systems can install PowerShell: ", err)
			}
			needed(t, shell[0])
			dir := t.TempDir()
			if err := os.Mkdir(dir+"/space", 0o700); err != nil {
				t.Fatal(err)
			}
			for typed, want := range map[string]string{
				"gander wh": "why", "gander help wh": "why",
				"gander why spa": "space", "gander mcp --log": "--log-level",
			} {
				cmd := exec.Command(shell[0], append(shell[1:], typed)...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=dumb")
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				words := strings.FieldsFunc(string(out), func(r rune) bool {
					return strings.ContainsRune(" \t\r\n/", r) && (r != '/' || want == "space")
				})
				if !slices.Contains(words, want) {
					t.Errorf("%q: %q lacks %q", typed, out, want)
				}
			}
		})
	}
}
