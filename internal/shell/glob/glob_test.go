package glob_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
	"gander/internal/testkit"
)

func text(r *rand.Rand, parts []string) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// TestMatches compares matches, and the prefixes and suffixes that patterns cut off, with bash.
func TestMatches(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	account := command.NewAccount(context.Background(), command.NewBudget(1<<20), "test")
	r := rand.New(rand.NewPCG(1, 2))
	patterns := []string{"a", "b", "*", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "é", "[é-ü]", "[]a]", "[", "\\*"}
	texts := []string{"a", "b", "c", "é", "*", "]", "[", "-", "A"}
	var script, want strings.Builder
	for range 2000 {
		pattern, s := text(r, patterns), text(r, texts)
		p, err := glob.Compile(glob.Text{Value: pattern}, false)
		testkit.Must(t, err)
		fmt.Fprintf(&script, "p='%s'; s='%s'; [[ $s == $p ]] && echo yes || echo no; ", pattern, s)
		script.WriteString("echo \"$p $s [${s#$p}] [${s##$p}] [${s%$p}] [${s%%$p}]\"\n")
		answer := "no"
		if p.Matches(account, s) {
			answer = "yes"
		}
		fmt.Fprintf(&want, "%s\n%s %s", answer, pattern, s)
		for _, longest := range []bool{false, true} {
			fmt.Fprintf(&want, " [%s]", s[max(p.Prefix(account, s, longest), 0):])
		}
		for _, longest := range []bool{false, true} {
			fmt.Fprintf(&want, " [%s]", s[:len(s)-max(p.Suffix(account, s, longest), 0)])
		}
		want.WriteByte('\n')
	}
	c := exec.Command(bash)
	c.Stdin, c.Env = strings.NewReader(script.String()), []string{"LC_ALL=C.UTF-8"}
	got, err := c.Output()
	testkit.Must(t, err)
	wants := strings.Split(want.String(), "\n")
	for i, line := range strings.Split(string(got), "\n") {
		if line != wants[i] {
			t.Errorf("got %q, bash: %q", wants[i], line)
		}
	}
}

// TestBounded checks that a hostile pattern takes time in proportion to the sizes.
func TestBounded(t *testing.T) {
	account := command.NewAccount(context.Background(), command.NewBudget(1<<20), "test")
	p, err := glob.Compile(glob.Text{Value: strings.Repeat("*a", 500) + "b"}, false)
	testkit.Must(t, err)
	if p.Matches(account, strings.Repeat("a", 20_000)) {
		t.Error("it matches")
	}
	if _, err := glob.Compile(glob.Text{Value: strings.Repeat("*a", 5000)}, false); err == nil {
		t.Error("a pattern of 10,000 bytes is compiled")
	}
}
