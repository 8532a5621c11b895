package cli

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander/internal/testkit/fixture"
)

// output runs a program that must be there where the tests must be whole.
func output(t *testing.T, dir string, words ...string) string {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("%s is not installed", words[0])
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "LS_COLORS=", "COLUMNS=", "TABSIZE=", "LS_BLOCK_SIZE=", "QUOTING_STYLE=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", words, err)
	}
	return string(out)
}

// plainTrees are random trees whose names every program shows alike.
func plainTrees(r *rand.Rand) []string {
	var entries []string
	for _, entry := range fixture.Random(r, 60, 4) {
		odd := func(c rune) bool { return c < ' ' || c > '~' && c != 'é' && c != '漢' || c == '\\' }
		if !strings.ContainsFunc(entry, odd) {
			entries = append(entries, entry)
		}
	}
	return entries
}

// TestAsTree: the drawing is that of tree. Its spaces are no-break spaces in part.
func TestAsTree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 12 {
		root := fixture.Make(t, plainTrees(r)...)
		for _, args := range [][]string{{"-a"}, {}, {"-a", "-L", "9"}} {
			words := append([]string{"tree", "-N", "--noreport"}, args...)
			want := strings.ReplaceAll(output(t, root, words...), "\u00a0", " ")
			got, _, _ := strings.Cut(output(t, root, append([]string{"gander", "tree"}, args...)...), "\n\n")
			if diff := cmp.Diff(want, got+"\n"); diff != "" {
				t.Fatalf("%v (-tree +gander)\n%s", args, diff)
			}
		}
	}
}

// TestAsLs: names stand in the columns of GNU ls.
func TestAsLs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 25 {
		root := fixture.Make(t, plainTrees(r)...)
		width := strconv.Itoa(10 + r.IntN(90))
		want := output(t, root, "ls", "-C", "-F", "-N", "-T0", "-w"+width)
		if diff := cmp.Diff(want, output(t, root, "gander", "ls", "--width", width)); diff != "" {
			t.Fatalf("%s columns (-ls +gander)\n%s", width, diff)
		}
		want = output(t, root, "ls", "-A", "-1", "-N")
		if diff := cmp.Diff(want, output(t, root, "gander", "ls", "-a")); diff != "" {
			t.Fatalf("(-ls +gander)\n%s", diff)
		}
	}
}
