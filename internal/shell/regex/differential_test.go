package regex_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
	"gander/internal/testkit"
)

// A generator makes patterns and texts of few characters, so that they often match.
type generator struct{ *rand.Rand }

func (g generator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

// pattern returns a pattern in extended syntax if extended, otherwise in basic syntax.
func (g generator) pattern(depth int, extended bool) string {
	escape := func(operator string) string {
		if extended {
			return operator
		}
		return `\` + operator
	}
	var b strings.Builder
	for range 1 + g.IntN(4) {
		switch n := g.IntN(24); {
		case n < 8 || depth == 0:
			b.WriteString(g.one("a", "b", "c", "é", "_", " ", ".", "."))
		case n < 10:
			b.WriteString(g.one("[ab]", "[^a]", "[[:alpha:]]", "[a-c_]", "[]é]", "[[:space:]b]",
				"[^[:alnum:]]"))
		case n < 12:
			b.WriteString(g.one(`\w`, `\W`, `\s`, `\S`, `\b`, `\B`, `\<`, `\>`))
		case n < 14:
			b.WriteString(g.one("^", "$", "*", `\.`, `\*`, "{", "}", ")", "|x"))
		case n < 16:
			b.WriteString(g.pattern(depth-1, extended) + escape("|") + g.pattern(depth-1, extended))
		case n < 18:
			b.WriteString(escape("(") + g.pattern(depth-1, extended) + escape(")"))
		default:
			group := escape("(") + g.one("", `\b`, "^") + g.pattern(0, extended) + escape(")")
			b.WriteString(g.one("a", "b", "(a)", "[ab]", ".", group, group) +
				g.one("*", escape("+"), escape("?"),
					escape("{")+g.one("1", "2", ",2", "1,", "0,1", "2,3")+escape("}")))
		}
	}
	return b.String()
}

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(9) {
		b.WriteString(g.one("a", "b", "c", "a", "b", "é", "_", " ", "\t", "(", "*", "{", "}", "|", "."))
	}
	return b.String()
}

// program returns the path of a program of GNU, or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command(name, "--version").Output()
	if err != nil || !bytes.Contains(out, []byte("GNU")) {
		t.Skip("there is no GNU " + name)
	}
	return name
}

// cases returns the number of patterns, which $GANDER_SHELL_CASES sets.
func cases(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("GANDER_SHELL_CASES"), "150"))
	testkit.Must(t, err)
	return n
}

func run(t *testing.T, stdin string, name string, args ...string) (out string, status int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"LC_ALL=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader(stdin)
	b, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

func account(t *testing.T) *command.Account {
	return command.NewAccount(t.Context(), command.NewBudget(64<<20), "test")
}

// TestGrep compares matching lines and matches with those of grep.
func TestGrep(t *testing.T) {
	grep := program(t, "grep")
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range cases(t) {
		o := regex.Options{Syntax: regex.Syntax(g.IntN(2)), IgnoreCase: g.IntN(6) == 0}
		args := []string{"-G", "-E"}[o.Syntax : o.Syntax+1]
		if o.IgnoreCase {
			args = append(args, "-i")
		}
		switch g.IntN(8) {
		case 0:
			o.Word, args = true, append(args, "-w")
		case 1:
			o.Line, args = true, append(args, "-x")
		}
		pattern := g.pattern(2, o.Syntax == regex.Extended)
		var texts []string
		for range 40 {
			texts = append(texts, g.text())
		}
		input := strings.Join(texts, "\n") + "\n"
		o.Spans = true
		lines, status := run(t, input, grep, append(args, "-n", "--", pattern)...)
		spans, _ := run(t, input, grep, append(args, "-no", "--", pattern)...)
		re, err := regex.Compile(o, pattern)
		if isRefusal(err) {
			continue
		}
		if (err != nil) != (status == 2) {
			t.Errorf("grep %q %q: error %v, status %d", args, pattern, err, status)
			continue
		}
		if err != nil {
			continue
		}
		s := re.NewSearcher(t.Context(), account(t))
		var gotLines, gotSpans strings.Builder
		for i, text := range texts {
			if s.Match([]byte(text)) {
				fmt.Fprintf(&gotLines, "%d:%s\n", i+1, text)
			}
			s.All([]byte(text), func(m []int) bool {
				if m[0] < m[1] {
					fmt.Fprintf(&gotSpans, "%d:%s\n", i+1, text[m[0]:m[1]])
				}
				return true
			})
		}
		if gotLines.String() != lines || gotSpans.String() != spans {
			t.Errorf("grep %q %q:\n got %q\nwant %q\n got %q\nwant %q", args, pattern,
				gotLines.String(), lines, gotSpans.String(), spans)
		}
	}
}

func isRefusal(err error) bool {
	var refusal command.Refusal
	return errors.As(err, &refusal)
}

// TestSed compares the groups of all matches with those of sed, also in texts of two lines.
func TestSed(t *testing.T) {
	sed := program(t, "sed")
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range cases(t) {
		o := regex.Options{Syntax: regex.Syntax(g.IntN(2)), Sed: true}
		pattern := strings.ReplaceAll(g.pattern(2, o.Syntax == regex.Extended), "_", `\n`)
		if strings.ContainsAny(pattern, "^$") {
			continue // sed sometimes takes them for the ends of lines within the text
		}
		groups := strings.Count(pattern, "(") - strings.Count(pattern, `[(`)
		replacement := "<&>"
		re, err := regex.Compile(o, pattern)
		if isRefusal(err) {
			continue
		}
		if err == nil {
			groups = min(re.Groups(), 9)
			for i := range groups {
				replacement += fmt.Sprintf(`[\%d]`, i+1)
			}
		}
		var texts []string
		for range 40 {
			texts = append(texts, g.text(), g.text())
		}
		args := []string{"-E", "-n", "N;s/" + pattern + "/" + replacement + "/g;p"}
		if o.Syntax == regex.Basic {
			args = args[1:]
		}
		want, status := run(t, strings.Join(texts, "\n")+"\n", sed, args...)
		if (err != nil) != (status == 1) {
			t.Errorf("sed %q: error %v, status %d", args, err, status)
			continue
		}
		if err != nil {
			continue
		}
		s := re.NewSearcher(context.Background(), account(t))
		var got strings.Builder
		for pair := range slices.Chunk(texts, 2) {
			got.WriteString(substitute(s, pair[0]+"\n"+pair[1], groups) + "\n")
		}
		if got.String() != want {
			t.Errorf("sed %q:\n got %q\nwant %q", args, got.String(), want)
		}
	}
}

func substitute(s *regex.Searcher, text string, groups int) string {
	var b strings.Builder
	at := 0
	s.All([]byte(text), func(m []int) bool {
		b.WriteString(text[at:m[0]] + "<" + text[m[0]:m[1]] + ">")
		for i := range groups {
			low, high := max(m[2*i+2], 0), max(m[2*i+3], 0)
			b.WriteString("[" + text[low:high] + "]")
		}
		at = m[1]
		return true
	})
	return b.String() + text[at:]
}

// TestClasses compares the characters of each class with those of grep.
func TestClasses(t *testing.T) {
	grep := program(t, "grep")
	var b strings.Builder
	for r := rune(1); r < 0x3000; r++ {
		if r != '\n' {
			b.WriteString(string(r) + "\n")
		}
	}
	file := filepath.Join(t.TempDir(), "characters")
	testkit.Must(t, os.WriteFile(file, []byte(b.String()), 0o600))
	for _, pattern := range []string{
		"[[:alpha:]]", "[[:digit:]]", "[[:alnum:]]", "[[:print:]]", "[[:graph:]]", "[[:space:]]",
		"[[:upper:]]", "[[:lower:]]", "[[:blank:]]", "[[:cntrl:]]", "[[:punct:]]", "[[:xdigit:]]", `\w`,
	} {
		out, _ := run(t, "", grep, "-a", "-x", pattern, file)
		want := strings.Count(out, "\n")
		re, err := regex.Compile(regex.Options{Line: true}, pattern)
		testkit.Must(t, err)
		s := re.NewSearcher(t.Context(), account(t))
		differ := ""
		n := 0
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			got := s.Match([]byte(line))
			if got != strings.Contains("\n"+out, "\n"+line+"\n") {
				n++
				if n < 25 {
					differ += fmt.Sprintf(" %04x(%v)", []rune(line), got)
				}
			}
		}
		const newer = 4 // characters of versions of Unicode that only one of them knows
		if n > newer {
			t.Errorf("%s: %d characters of %d differ:%s", pattern, n, want, differ)
		}
	}
}
