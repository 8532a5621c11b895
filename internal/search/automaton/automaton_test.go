package automaton

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/internal/search/syntax"
)

func limited(p *Program, memory int) *DFA { return NewDFA(p, Limits{Memory: memory}) }

func compile(tb testing.TB, pattern string) *Program {
	tb.Helper()
	n, err := syntax.Parse(context.Background(), pattern, syntax.Options{CRLF: true})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := Compile(context.Background(), n, 16<<20)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// lines returns the starts of the lines that match, which it finds with a method Find.
func lines(buf []byte, find func([]byte) int) []int {
	var out []int
	for at := 0; at < len(buf); {
		found := find(buf[at:])
		if found < 0 {
			break
		}
		out = append(out, at+bytes.LastIndexByte(buf[at:at+found], '\n')+1)
		n := bytes.IndexByte(buf[at+found:], '\n')
		if n < 0 {
			break
		}
		at += found + n + 1
	}
	return out
}

// TestCarriageReturn checks that a literal carriage return matches within a line also as one of
// several alternatives, while a class does not contain it.
func TestCarriageReturn(t *testing.T) {
	for pattern, want := range map[string][]int{`\r|;`: {0, 4}, `\r|;;`: {0}, `[\r;]`: {4}} {
		got := lines([]byte("a\rb\nc;\nd\n"), NewDFA(compile(t, pattern), Limits{}).Find)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the lines at %v, want %v", pattern, got, want)
		}
	}
}

// agree checks that DFAs of all sizes find the lines where a Spanner finds matches, whole or in
// pieces.
func agree(t *testing.T, p *Program, buf []byte, random *rand.Rand) {
	t.Helper()
	var want []int
	spanner, start := NewSpanner(NewDFA(p, Limits{})), 0
	for line := range bytes.Lines(buf) {
		if all(t, spanner, Bytes(bytes.TrimSuffix(line, []byte("\n"))), 1) != nil {
			want = append(want, start)
		}
		start += len(line)
	}
	inPieces := limited(p, 10*stateCost)
	for name, got := range map[string][]int{
		"DFA":                lines(buf, NewDFA(p, Limits{}).Find),
		"DFA with 20 states": lines(buf, limited(p, 20*stateCost).Find),
		"DFA without memory": lines(buf, limited(p, 1).Find),
		"DFA in pieces":      pieces(inPieces, buf, random),
	} {
		if !slices.Equal(got, want) {
			t.Fatalf("%s finds lines at %v, want %v", name, got, want)
		}
	}
}

// pieces returns the starts of the lines that match if each comes in pieces.
func pieces(d *DFA, buf []byte, random *rand.Rand) []int {
	var out []int
	start := 0
	for line := range bytes.Lines(buf) {
		rest := bytes.TrimSuffix(line, []byte("\n"))
		d.StartLine()
		early := false
		for len(rest) > 0 {
			n := 1 + random.IntN(len(rest))
			early = d.Feed(rest[:n]) || early
			rest = rest[n:]
		}
		if matched := d.EndLine(); matched || early {
			out = append(out, start)
		}
		start += len(line)
	}
	return out
}

func TestAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	buf := make([]byte, 3000)
	for i := range buf {
		const alphabet = "aabbccdde  \n1Q-_\xc3\xa9\xe4\xb8\xad\xff\x80é中\r"
		buf[i] = alphabet[random.IntN(len(alphabet))]
	}
	for _, pattern := range strings.Split(
		` a (a*)*b (a|b|c)*d.{5}e \w.{4}\d.{4}[A-Z] .{30} \bé\b \B \b ^$ ^a|b$ \<\w+\>$ [^\pL]{4} `+
			`\b{start-half}中\b{end-half} [a&&b] (a|b)+?c{2,3} ^a|b$ `+
			`(^|\b)*a (\b|a){3} (?:^){0,9} ^\w+$ ^$|^\bé \w{20} .*.*.*=.*`, " ") {
		t.Run(pattern, func(t *testing.T) { agree(t, compile(t, pattern), buf, random) })
	}
}

// TestSize checks that a program that becomes too large is rejected immediately.
func TestSize(t *testing.T) {
	for _, pattern := range []string{
		`a{1500}`, `(a{1000}){1000}`, `((((a{1000}){1000}){1000}){1000}){1000}`,
		strings.Repeat(`\w`, 60),
	} {
		n, err := syntax.Parse(t.Context(), pattern, syntax.Options{})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = Compile(t.Context(), n, 300_000)
		took := time.Since(start)
		if err != ErrTooLarge || took > time.Minute {
			t.Errorf("%.50s: %v after %v", pattern, err, took)
		}
	}
}
