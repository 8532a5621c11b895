package match

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/search/automaton"
)

// requestLog returns lines of a log of requests.
func requestLog() []byte {
	var log []byte
	for i := range 200_000 {
		log = fmt.Appendf(log, "2026-02-%02dT%02d:%02d:%02d INFO trace=%016x GET /api/v2/users/%d 200\n",
			1+i%28, i/3600%24, i/60%60, i%60, uint64(i)*0x9E3779B97F4A7C15, i*7919%100_000)
	}
	return log
}

// BenchmarkLiterals searches with the literals of a pattern, and with its automaton alone. Literals
// must be at least 1.3 times as fast to be worth their code.
func BenchmarkLiterals(b *testing.B) {
	texts := map[string][]byte{"source": corpus(b), "log": requestLog()}
	for _, c := range []struct{ text, pattern string }{
		{"source", "(?i)readfull"},
		{"source", "Mutex|Cond|WaitGroup|Once|Pool"},
		{"log", "/api/v2/users/4711 "}, // its bytes are in every line, so their frequencies are learned
		{"log", "(?i)/API/V2/users/4711 "},
		{"log", "FATAL|panic|timeout|refused|unknown"},
	} {
		m, err := Compile(b.Context(), c.pattern, Options{})
		if err != nil {
			b.Fatal(err)
		}
		alone := *m
		alone.finder = nil
		for name, m := range map[string]*Matcher{"literals": m, "automaton": &alone} {
			b.Run(c.text+"/"+strings.ReplaceAll(c.pattern, "/", "")+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(texts[c.text])))
				for b.Loop() {
					s := m.NewSearcher(automaton.Limits{})
					for at, ok := 0, true; ok; at++ {
						_, at, ok = s.NextLine(texts[c.text], at)
					}
				}
			})
		}
	}
}
