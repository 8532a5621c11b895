package automaton

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A chopped is a Text in pieces of random sizes.
type chopped struct {
	text   []byte
	random *rand.Rand
}

func (c *chopped) From(offset int64) ([]byte, error) {
	rest := c.text[offset:]
	if len(rest) > 0 {
		rest = slices.Clone(rest[:1+c.random.IntN(min(len(rest), 1000))])
	}
	return rest, nil
}

// A counted is a Text of single bytes, which counts how often they are read.
type counted struct {
	text  []byte
	times int
}

func (c *counted) From(offset int64) ([]byte, error) {
	if offset == int64(len(c.text)) {
		return nil, nil
	}
	c.times++
	return c.text[offset : offset+1], nil
}

// all returns the matches in a text, at most limit.
func all(t testing.TB, s *Spanner, text Text, limit int) (spans []Span) {
	t.Helper()
	err := s.Spans(text, limit, func(m Span) bool {
		spans = append(spans, m)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

// spanPatterns are patterns whose matches depend on text far behind them, among others.
func spanPatterns() []string {
	return strings.Fields(`a(.*z)? (a*)*b x* a.*b|a (?:a|aa)+$ \w+\s*$ a a|ab ab|a aa? (|a)+ (|a)b ` +
		`(a|b)*?c|. a(b*c)?|b(.*d)? .*c|a .*?c a{2,3}? a(a{3})* (a.{1,9}z)|a|b \b \B $ ^a|b ` +
		`\ba\b|\Ba. (ab(.*z)?|b(.*y)?|a(.*x)?)+ a(b(c(.*x)?)?)? é|\xc3 [^a] (a.*é)?. zz|b$ ` +
		`(?:a.*x|b.*y|c.*z|a|b|c) \bé\b|a(.*\b)? a(.*\bz)? \w+(.*\Bz)?$`)
}

// TestSpans compares the matches in texts, also in pieces and up to a limit, with those found one
// by one.
func TestSpans(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, pattern := range spanPatterns() {
		p := compile(t, pattern)
		simple := newSimple(p)
		spanners := []*Spanner{
			NewSpanner(NewDFA(p, Limits{})), NewSpanner(limited(p, 10*stateCost)), NewSpanner(limited(p, 1)),
		}
		for n := range 300 {
			spanner := spanners[n%len(spanners)]
			line := randomLine(random, random.IntN(60))
			want := simple.spans(line)
			text := fmt.Sprintf("%q in text %d, %q", pattern, n, line)
			if got := all(t, spanner, Bytes(line), math.MaxInt); !slices.Equal(got, want) {
				t.Fatalf("%s: got %v, want %v", text, got, want)
			}
			got := all(t, spanner, &chopped{text: line, random: random}, math.MaxInt)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, in pieces: got %v, want %v", text, got, want)
			}
			limit := random.IntN(len(want) + 1)
			if got := all(t, spanner, Bytes(line), limit); !slices.Equal(got, want[:limit]) {
				t.Fatalf("%s: got %v, want %v", text, got, want[:limit])
			}
		}
	}
}

func randomLine(random *rand.Rand, n int) []byte {
	const alphabet = "aaaabbbcczxyd  é中\xff\xc3\r-"
	line := make([]byte, n)
	for i := range line {
		line[i] = alphabet[random.IntN(len(alphabet))]
	}
	return line
}

// TestManyUncertain checks that a line is read once, and that a match which more than maxPending
// matches wait for is given up.
func TestManyUncertain(t *testing.T) {
	spanner := NewSpanner(NewDFA(compile(t, `a(.*z)?`), Limits{}))
	for _, n := range []int{maxPending - 1, maxPending + 100} {
		line := &counted{text: []byte(strings.Repeat("a", n) + "z")}
		spans := all(t, spanner, line, math.MaxInt)
		want := Span{0, int64(n) + 1}
		if n > maxPending {
			want.Start = maxPending
		}
		if len(spans) != int(want.Start)+1 || spans[want.Start] != want || line.times > len(line.text) {
			t.Errorf("%d matches, the last %v, want %v", len(spans), spans[len(spans)-1], want)
		}
	}
}
