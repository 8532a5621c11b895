package automaton

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// BenchmarkSpans finds the matches in a long line, in a short one, and in a short one one by one.
func BenchmarkSpans(b *testing.B) {
	line := []byte(`{"key12":"value 1234","other":[1,2,3,"aaaaaaaaaa"]},`)
	text := bytes.Repeat(line, 20000)
	for _, pattern := range strings.Fields(
		`"key\d+" a(.*Z)? \w+\s*$ \bkey\d+\b [a-z]+ value|aaaa|nothing x*`) {
		p := compile(b, pattern)
		s, o := NewSpanner(NewDFA(p, Limits{})), newSimple(p)
		b.Run(pattern, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Spans(Bytes(text), math.MaxInt, func(Span) bool { return true })
			}
		})
		b.Run(pattern+"/short", func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				s.Spans(Bytes(line), math.MaxInt, func(Span) bool { return true })
			}
		})
		b.Run(pattern+"/simple", func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				o.spans(line)
			}
		})
	}
}
