package match

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/search/automaton"
	"gander/internal/search/syntax"
	"gander/internal/testkit/ripgrep"
)

const textsPerPattern = 10

// randomPatterns returns the number of random patterns. $GANDER_SEARCH_PAIRS sets the number of
// pairs of pattern and text.
func randomPatterns(tb testing.TB) int {
	return ripgrep.Cases(tb, "GANDER_SEARCH_PAIRS", 5000) / textsPerPattern
}

// matches holds the spans of matching lines by the number of the line, from 0.
type matches map[int][]Span

// search finds the matches in consecutive texts, each in a separate buffer.
func search(m *Matcher, texts ...string) matches {
	s := m.NewSearcher(automaton.Limits{})
	out := matches{}
	line := 0
	for _, text := range texts {
		buf := []byte(text)
		at := 0
		for start, end, ok := s.NextLine(buf, at); ok; start, end, ok = s.NextLine(buf, at) {
			line += bytes.Count(buf[at:start], []byte("\n"))
			out[line] = spans(s, buf[start:end])
			at = min(end+1, len(buf))
			line++
		}
		line += bytes.Count(buf[at:], []byte("\n"))
	}
	return out
}

// spans returns the matches in a line.
func spans(s *Searcher, line []byte) (spans []Span) {
	_ = s.Spans(Bytes(line), math.MaxInt, func(s Span) bool {
		spans = append(spans, s)
		return true
	}) // text in memory has no errors
	return spans
}

func randomTexts(g ripgrep.Generator) []string {
	texts := make([]string, textsPerPattern)
	for i := range texts {
		texts[i] = g.Text(10)
	}
	return texts
}

// TestRipgrep compares the spans and errors of random patterns with ripgrep.
func TestRipgrep(t *testing.T) {
	ripgrep.Need(t)
	compareWithRipgrep(t, `(_-.)?[a-c]`, Options{}, "\nx_-ab\n")
	for _, pattern := range []string{
		`a|ab`, `ab|a`, `a*`, `a+?`, `(?U)a+`, `(|a)+`, `aa`, `.`, `$`, `\b`,
		`\x61?\B `, `[^ab]?\b{3}-`,
	} {
		const text = "\nabab\naab\nbaac\naaaaa\né\xff中\n\xe9é\na\r\na é\n1_ a- \t\n_b-A\n"
		compareWithRipgrep(t, pattern, Options{}, text)
	}
	for _, pattern := range []string{`return$`, `^$`, `^b`, `.$`, `\s$`, `\bb\b.?$`} {
		for _, text := range []string{"a return\r\n\r\n", "return\n\nb\r\n", "a\r\nb\n"} {
			compareWithRipgrep(t, pattern, Options{CRLF: true}, text)
		}
	}
	for worker := range 2 {
		t.Run(fmt.Sprintf("half %d", worker+1), func(t *testing.T) {
			t.Parallel()
			g := ripgrep.NewGenerator(2, uint64(worker))
			for range randomPatterns(t) / 2 {
				pattern := g.Pattern(3)
				for pattern != "" && g.IntN(10) == 0 { // break it
					at := g.IntN(len(pattern))
					rest := pattern[min(len(pattern), at+g.IntN(2)):]
					pattern = pattern[:at] + g.Pick(` ( [ ] { } * ? \ - && ,`) + rest
				}
				o, texts := Options{CRLF: g.IntN(2) == 0}, randomTexts(g)
				if o.CRLF { // within a line, ^ does not match after a carriage return
					for i, text := range texts {
						texts[i] = strings.NewReplacer("\r\n", "\r\n", "\r", "").Replace(text)
					}
				}
				compareWithRipgrep(t, pattern, o, texts...)
			}
		})
	}
}

// TestEndOfText checks that \z is $, also before a carriage return at the end of a line.
func TestEndOfText(t *testing.T) {
	for pattern, want := range map[string][]Span{
		`x\z`: {{Start: 1, End: 2}}, `x$`: {{Start: 1, End: 2}}, `\b\z`: {{Start: 2, End: 2}},
		`y\z`: nil, `\B\z`: nil,
	} {
		m, err := Compile(t.Context(), pattern, Options{CRLF: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := spans(m.NewSearcher(automaton.Limits{}), []byte("yx\r")); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", pattern, got, want)
		}
	}
}

func compareWithRipgrep(t *testing.T, pattern string, o Options, texts ...string) {
	t.Helper()
	text := strings.Join(texts, "")
	want, refused := foundByRipgrep(t, pattern, text, o)
	if o.CRLF && strings.Contains(refused, `the literal "\r" is not allowed`) {
		return
	}
	m, err := Compile(t.Context(), pattern, o)
	if (err != nil) != (refused != "") {
		t.Errorf("%q: we say %v, ripgrep says %s", pattern, err, refused)
		return
	}
	if err != nil {
		return
	}
	got := search(m, texts...)
	for i, line := range strings.Split(text, "\n") {
		g, w := got[i], want[i]
		end := Span{Start: int64(len(line)), End: int64(len(line))}
		if n := len(g) - 1; o.CRLF && strings.HasSuffix(line, "\r") && n >= 0 && g[n] == end {
			g = g[:n] // a known difference, as the next
		}
		if laterThan(t, pattern, line, o, g, w) {
			continue
		}
		if (got[i] == nil) != (want[i] == nil) || !slices.Equal(g, w) {
			t.Errorf("%q\n%q: got %v, want %v", pattern, line, got[i], want[i])
			return
		}
	}
}

// laterThan reports whether ripgrep misses a match that it finds in the matched text alone, and
// shows a later one.
func laterThan(t *testing.T, pattern, line string, o Options, got, want []Span) bool {
	for i := range min(len(got), len(want)) {
		if s := got[i]; s != want[i] {
			matched := line[s.Start:s.End] + "\n"
			found, _ := foundByRipgrep(t, pattern, matched, o, "--line-regexp")
			return s.Start < want[i].Start && len(found) > 0
		}
	}
	return false
}

// foundByRipgrep returns the matches of ripgrep, or its error about the pattern.
func foundByRipgrep(
	t *testing.T, pattern, text string, o Options, args ...string,
) (found matches, refused string) {
	t.Helper()
	args = append(args, "--json", "--text", "--encoding=none", "--regexp="+pattern)
	for flag, set := range map[string]bool{
		"--fixed-strings": o.Literal, "--ignore-case": o.IgnoreCase, "--crlf": o.CRLF,
	} {
		if set {
			args = append(args, flag)
		}
	}
	out, refused := ripgrep.Run(t, "", text, append(args, "-")...)
	found = matches{}
	for _, l := range ripgrep.Lines(t, out) {
		spans := []Span{}
		for _, s := range l.Spans {
			spans = append(spans, Span(s))
		}
		found[l.Number-1] = spans
	}
	return found, refused
}

// TestLiteral compares literal text with ripgrep, with and without case.
func TestLiteral(t *testing.T) {
	t.Parallel()
	ripgrep.Need(t)
	g := ripgrep.NewGenerator(1, 3)
	for range randomPatterns(t) / 5 {
		pattern := g.Pick(`a k s ß foo ( [ \d é`) + g.Pick(" b σ if * K ab") + g.Pick(" ſ fo .")
		o := Options{Literal: true, IgnoreCase: g.IntN(2) == 0}
		compareWithRipgrep(t, pattern, o, randomTexts(g)...)
		compareWithRipgrep(t, g.Pattern(2), Options{IgnoreCase: true}, randomTexts(g)...)
	}
}

// TestSource compares realPatterns in Go's source with ripgrep.
func TestSource(t *testing.T) {
	t.Parallel()
	ripgrep.Need(t)
	for _, file := range strings.Fields(
		"net/http/server.go regexp/syntax/parse.go unicode/utf8/utf8_test.go") {
		text, err := os.ReadFile(filepath.Join(goSource(t), file))
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range realPatterns(t) {
			compareWithRipgrep(t, pattern, Options{}, string(text))
		}
	}
}

// goSource returns the directory with the source of Go's standard library.
func goSource(tb testing.TB) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, statErr := os.Stat(dir); err != nil || statErr != nil {
		tb.Skip("Go's source is not installed")
	}
	return dir
}

// realPatterns returns typical patterns, and some with exploding automata.
func realPatterns(tb testing.TB) []string {
	text, err := os.ReadFile("testdata/patterns.txt")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// TestLarge checks the error for a pattern with too large a program.
func TestLarge(t *testing.T) {
	_, err := Compile(t.Context(), `(?:(?:a?){1000}){90}`, Options{})
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok || e.Message != automaton.ErrTooLarge.Error() {
		t.Errorf("error %v", err)
	}
	if _, err := Compile(t.Context(), `\w{300}`, Options{}); err != nil {
		t.Error(err)
	}
}
