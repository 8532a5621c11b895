package text

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/node"
)

func TestLossy(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"héllo 日本 😀", "héllo 日本 😀"},
		{"\ufeffbom", "\ufeffbom"},
		{"\xe0\x80\xaf", "\ufffd\ufffd\ufffd"},           // overlong
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},           // surrogate
		{"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"}, // above U+10FFFF
		{"\xe2\x82", "\ufffd"},                           // incomplete
		{"\xf0\x9f\x98\xf0\x9f\x98\x80", "\ufffd😀"},      // interrupted by a whole one
		{"\xf0\x9fé\xe2\x82\xc3\xa9", "\ufffdé\ufffdé"},
		{"\xf1\x80\x80\xe1\x80\xc2b\x80", "\ufffd\ufffd\ufffdb\ufffd"}, // Unicode table 3-8
	} {
		if got := Lossy([]byte(c.in)); got != c.want {
			t.Errorf("Lossy(%q) = %+q, want %+q", c.in, got, c.want)
		}
		if got := string(LossyKey(make([]byte, 0, 8), []byte(c.in))); got != c.want {
			t.Errorf("LossyKey(%q) = %+q, want %+q", c.in, got, c.want)
		}
	}
}

func TestLossyAsNode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	broken := make([][]byte, 0, 30_000)
	for len(broken) < cap(broken) {
		if b := brokenBytes(random); !utf8.Valid(b) {
			broken = append(broken, b)
		}
	}
	var want []string
	node.Ask(t, `
		const decoder = new TextDecoder("utf-8", {ignoreBOM: true});
		console.log(JSON.stringify(questions.map(q => decoder.decode(Buffer.from(q, "base64")))));
	`, broken, &want)
	for i, b := range broken {
		if got := Lossy(b); got != want[i] {
			t.Errorf("Lossy(%q) = %+q, node says %+q", b, got, want[i])
		}
	}
}

// edges are bytes on either side of every limit of well-formedness.
const edges = "\x00a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf" +
	"\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xfe\xff"

// brokenBytes returns a sequence of whole characters, their beginnings, and bytes of edges.
func brokenBytes(random *rand.Rand) []byte {
	whole := []string{"é", "€", "\ufeff", "\uffff", "日", "😀", "\U0010ffff"}
	var b []byte
	for range 1 + random.IntN(12) {
		switch s := whole[random.IntN(len(whole))]; random.IntN(4) {
		case 0:
			b = append(b, s...)
		case 1:
			b = append(b, s[:1+random.IntN(len(s))]...)
		default:
			b = append(b, edges[random.IntN(len(edges))])
		}
	}
	return b
}
