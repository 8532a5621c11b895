//go:build unix

package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"gander/internal/testkit"
)

// everyCommand returns all commands except completion and help, the root first.
func everyCommand(t *testing.T) []*cobra.Command {
	t.Helper()
	all := []*cobra.Command{Command()}
	for i := 0; i < len(all); i++ {
		all = append(all, slices.DeleteFunc(all[i].Commands(), func(cmd *cobra.Command) bool {
			return cmd.Name() == "help" || cmd.Name() == "completion"
		})...)
	}
	return all
}

func helpOf(t *testing.T, cmd *cobra.Command) string {
	t.Helper()
	var stdout, stderr strings.Builder
	args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
	if code := run(t.Context(), args, nil, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("%q: exit code %d, %s", args, code, stderr.String())
	}
	return stdout.String()
}

func TestHelp(t *testing.T) {
	for _, cmd := range everyCommand(t) {
		text := helpOf(t, cmd)
		if !strings.Contains(text, "\nExamples:\n  gander ") {
			t.Errorf("the help of %s has no examples", cmd.CommandPath())
		}
		if !strings.Contains("\n"+text, "\nUsage:\n  "+cmd.CommandPath()) {
			t.Errorf("the help of %s does not have its usage", cmd.CommandPath())
		}
		for line := range strings.Lines(text) {
			if len(line) > 81 {
				t.Errorf("the help of %s is wider than 80 columns: %q", cmd.CommandPath(), line)
			}
		}
	}
}

// TestExamplesRun runs the examples of the help.
func TestExamplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many programs")
	}
	for _, cmd := range everyCommand(t) {
		for line := range strings.Lines(strings.ReplaceAll(cmd.Example, "\\\n", " ")) {
			line = strings.TrimSpace(line)
			t.Run(line, func(t *testing.T) {
				if strings.Contains(line, " --http ") {
					checkFlags(t, line)
					return
				}
				runExample(t, line)
			})
		}
	}
}

func runExample(t *testing.T, line string) {
	dir := t.TempDir()
	files, err := txtar.ParseFile("testdata/example.files")
	if err == nil {
		err = txtar.Write(files, dir)
	}
	testkit.Must(t, err)
	if strings.HasSuffix(line, "config init gander.toml") { // It must not exist.
		testkit.Must(t, os.Remove(filepath.Join(dir, "gander.toml")))
	}
	line = strings.ReplaceAll(line, `/src`, dir+"/src")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	shell := exec.CommandContext(ctx, "sh", "-c", line)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "TMPDIR="+t.TempDir())
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

func checkFlags(t *testing.T, line string) {
	cmd, args, err := Command().Find(strings.Fields(line)[1:])
	testkit.Must(t, err)
	if err := errors.Join(cmd.ParseFlags(args), cmd.ValidateArgs(cmd.Flags().Args())); err != nil {
		t.Error(err)
	}
}

func TestSuggest(t *testing.T) {
	words := []string{"call", "config", "codex/list_dir", "list_dir", "forge", "limits.timeout"}
	for word, want := range map[string][]string{
		"CALL": {"call"}, "cofnig": {"config"}, "con": {"config"}, "list-dir": {"list_dir"},
		"lsit_dir": {"list_dir"}, "codex/listdir": {"codex/list_dir"},
		"limits.timeot": {"limits.timeout"}, "cat": nil, "frobnicate": nil, "x": nil, "": nil,
	} {
		if got := suggest(word, words); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
}
