package regex_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/search/automaton"
	"gander/internal/search/match"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
	"gander/internal/testkit"
)

// TestPreferred compares the matches in ripgrep's syntax with those that a search finds.
func TestPreferred(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	for range cases(t) {
		pattern := strings.ReplaceAll(g.pattern(2, true), "{", "")
		m, err := match.Compile(t.Context(), pattern, match.Options{})
		if err != nil {
			continue
		}
		re, err := regex.Compile(regex.Options{Syntax: regex.Ripgrep}, pattern)
		testkit.Must(t, err)
		s, spanner := re.NewSearcher(t.Context(), account(t)), m.NewSearcher(automaton.Limits{})
		for range 20 {
			text := []byte(g.text())
			var got, want []int
			s.All(text, func(m []int) bool {
				got = append(got, m[0], m[1])
				return true
			})
			testkit.Must(t, spanner.Spans(match.Bytes(text), math.MaxInt, func(s match.Span) bool {
				want = append(want, int(s.Start), int(s.End))
				return true
			}))
			if !slices.Equal(got, want) {
				t.Errorf("%q in %q: got %v, want %v", pattern, text, got, want)
			}
		}
	}
}

// TestHostile searches with patterns and texts that take a backtracking engine long. The call must
// end soon after its time is over.
func TestHostile(t *testing.T) {
	const most = 3 * time.Second
	for _, pattern := range []string{
		`\(a*\)*b`, `\(\(a\?\)\{0,200\}\)\{20\}c`,
		strings.Repeat("a\\?", 2000) + strings.Repeat("a", 500),
		strings.Repeat(`\(`, 150) + "a" + strings.Repeat(`\)*`, 150),
		`\(\w\W\)\{1,60\}x`, "[^b]*b.*c.*d$",
		`a\{32767\}`, `\(a\{1000\}\)\{1000\}`, strings.Repeat(`\w`, 8000),
	} {
		for _, text := range []string{strings.Repeat("a", 1<<20), strings.Repeat("a\n", 1<<18)} {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			began := time.Now()
			func() {
				defer func() {
					abort, ok := recover().(command.Abort)
					if ok && abort.Err == nil {
						t.Errorf("%.40q ended without an error", pattern)
					}
				}()
				re, err := regex.Compile(regex.Options{}, pattern)
				if err != nil {
					return
				}
				a := command.NewAccount(ctx, command.NewBudget(16<<20), "test")
				s := re.NewSearcher(ctx, a)
				s.Match([]byte(text))
				s.All([]byte(text), func([]int) bool { return true })
			}()
			cancel()
			if took := time.Since(began); took > most {
				t.Errorf("%.40q took %v", pattern, took)
			}
		}
	}
}

// FuzzCompile compiles any pattern in each syntax. A match found in a text must lie within it, and
// groups within the text.
func FuzzCompile(f *testing.F) {
	for _, pattern := range []string{
		`\(a\|b\)*c\{1,2\}`, `[[:alpha:]]+|[^]x]$`, `\x41\n[\]a]`, "(?i)a+?",
	} {
		f.Add(pattern, "abc\ncc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for s := regex.Basic; s <= regex.Ripgrep; s++ {
			for _, o := range []regex.Options{
				{}, {Sed: true}, {IgnoreCase: true, Word: true},
			} {
				o.Syntax = s
				search(t, ctx, o, pattern, text)
			}
		}
	})
}

func search(t *testing.T, ctx context.Context, o regex.Options, pattern, text string) {
	re, err := regex.Compile(o, pattern)
	var wrong regex.Error
	if err != nil {
		if !errors.As(err, &wrong) && !isRefusal(err) {
			t.Fatalf("%q: %v", pattern, err)
		}
		return
	}
	defer func() {
		r := recover()
		if _, ok := r.(command.Abort); r != nil && !ok {
			panic(r)
		}
	}()
	searcher := re.NewSearcher(ctx, command.NewAccount(ctx, command.NewBudget(16<<20), "test"))
	found := false
	searcher.All([]byte(text), func(m []int) bool {
		found = true
		for i := 0; i < len(m); i += 2 {
			isUnset := m[i] < 0 && i > 0
			if !isUnset && (m[i] > m[i+1] || m[i+1] > len(text)) {
				t.Fatalf("%q in %q: %v", pattern, text, m)
			}
		}
		return true
	})
	isText := !strings.Contains(text, "\n")
	if isText && searcher.Match([]byte(text)) != found {
		t.Fatalf("%q in %q: found %v by groups only", pattern, text, found)
	}
}
