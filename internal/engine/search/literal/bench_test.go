package literal

import (
	"bytes"
	"strings"
	"testing"
)

func BenchmarkMethods(b *testing.B) {
	buf := bytes.Repeat([]byte("	if err := f.open(name, 0o644); err != nil { return nil, &PathError{Op: \"open\", Path: name, Err: err} } // the quick brown\n"), 500)
	for _, words := range []string{"xyzzyplugh", "Handler", "~handler", "~readfull", "Reader Writer", "alpha beta gamma delta epsilon", "Mutex Cond WaitGroup Once Pool", "foo bar", "σ Σ", "if"} {
		var literals []Literal
		for w := range strings.FieldsSeq(words) {
			literals = append(literals, Literal{strings.TrimPrefix(w, "~"), w[0] == '~'})
		}
		s := newSampler(literals)
		n := newNeedles(literals)
		for name, m := range map[string]method{"sampler": s, "needles": n} {
			b.Run(strings.ReplaceAll(words, " ", ",")+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(buf)))
				found := 0
				misses := 0
				for b.Loop() {
					found, misses = 0, 0
					for at := 0; at < len(buf); {
						misses = 0
						_, end, next := m.find(buf, at, &misses)
						if end >= 0 {
							found++
							next = end
						}
						at = next
					}
				}
				b.ReportMetric(float64(found), "found")
				b.ReportMetric(n.cost, "needlecost")
				b.ReportMetric(s.cost, "samplercost")
				b.ReportMetric(float64(s.stride), "stride")
			})
		}
	}
}
