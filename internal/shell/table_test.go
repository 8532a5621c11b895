package shell

import (
	"os"
	"strings"
	"testing"
)

// TestTable checks that the page about the shell has the table of its commands.
func TestTable(t *testing.T) {
	const name = "../../docs/shell.md"
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const heading = "| --- | --- | --- |\n"
	before, after, ok := strings.Cut(string(page), "## Commands")
	start, rest, found := strings.Cut(after, heading)
	if !ok || !found {
		t.Fatalf("%s has no table of commands", name)
	}
	_, end, _ := strings.Cut(rest, "\n\n")
	want := before + "## Commands" + start + heading + Table() + "\n" + end
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(page) != want {
		t.Errorf("the table in %s is not that of the commands; run this test with -update", name)
	}
}
