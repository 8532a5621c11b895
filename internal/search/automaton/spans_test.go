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

// A counted is a Text of single bytes, which counts how often each is read.
type counted struct {
	text  []byte
	times []int
	most  int // the maximum of times
}

func (c *counted) From(offset int64) ([]byte, error) {
	if offset == int64(len(c.text)) {
		return nil, nil
	}
	if c.times == nil {
		c.times = make([]int, len(c.text))
	}
	c.times[offset]++
	c.most = max(c.most, c.times[offset])
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

// TestSpans compares the matches in texts, also in pieces and up to a limit, with those found one by
// one.
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

// TestLookAhead checks lines whose matches are uncertain up to their end, and that they are read
// only a few times.
func TestLookAhead(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 2))
	for _, pattern := range spanPatterns() {
		p := compile(t, pattern)
		spanner, simple := NewSpanner(NewDFA(p, Limits{})), newSimple(p)
		for _, spanner.room = range []int{1, 2, 7} {
			for n := range 100 {
				line := randomLine(random, random.IntN(80))
				if n%2 == 0 {
					unit := []string{"a", "ab", "abc-", "é", "aab \xff", "x"}[random.IntN(6)]
					line = []byte(strings.Repeat(unit, random.IntN(30)) + []string{"", "z", "y"}[random.IntN(3)])
				}
				text := &counted{text: line}
				got, want := all(t, spanner, text, math.MaxInt), simple.spans(line)
				if !slices.Equal(got, want) {
					t.Fatalf("%q in %q: got %v, want %v", pattern, line, got, want)
				}
				if text.most > p.Size()+1 {
					t.Errorf("%q in %q: a byte is read %d times", pattern, line, text.most)
				}
			}
		}
	}
}
