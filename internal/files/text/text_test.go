package text

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/testkit/node"
)

func TestQuoteAsNode(t *testing.T) {
	var characters []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if utf8.ValidRune(r) && (r < 0x3000 || r%97 == 0 || r >= 0xfff0 && r <= 0x10010) {
			characters = append(characters, string(r))
		}
	}
	var want []string
	const script = `console.log(JSON.stringify(questions.map(q => JSON.stringify(q))));`
	node.Ask(t, script, characters, &want)
	for i, s := range characters {
		if got := string(AppendQuote(nil, s)); got != want[i] {
			t.Errorf("AppendQuote(%+q) = %+q, node says %+q", s, got, want[i])
		}
	}
}

// FuzzCut checks that the prefix is the longest that ends at a character boundary.
func FuzzCut(f *testing.F) {
	for n := -1; n < 12; n++ {
		f.Add("aé日本😀", n)
	}
	f.Add("\x80\x80", 1)
	f.Add("", -1)
	f.Add(strings.Repeat("é", 300), 501)
	f.Fuzz(func(t *testing.T, s string, n int) {
		got := Cut(s, n)
		if !strings.HasPrefix(s, got) || len(got) > max(n, 0) {
			t.Fatalf("Cut(%q, %d) = %q", s, n, got)
		}
		if !utf8.ValidString(s) {
			return
		}
		if !utf8.ValidString(got) {
			t.Fatalf("Cut(%q, %d) = %q splits a character", s, n, got)
		}
		if _, size := utf8.DecodeRuneInString(s[len(got):]); size > 0 && len(got)+size <= n {
			t.Fatalf("Cut(%q, %d) = %q, but one more character fits", s, n, got)
		}
	})
}

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

// TestKeysOverwriteScratch checks that the bytes in scratch are not part of a key.
func TestKeysOverwriteScratch(t *testing.T) {
	for _, name := range []string{"\ue000\U00010000", "a\xff\ue000"} {
		scratch := []byte("\xee scratch of a longer name")
		got, want := UTF16Key(scratch, []byte(name)), UTF16Key(nil, []byte(name))
		if !bytes.Equal(got, want) {
			t.Errorf("UTF16Key(%+q) = %q, want %q", name, got, want)
		}
		got, want = LossyKey(scratch, []byte(name)), LossyKey(nil, []byte(name))
		if !bytes.Equal(got, want) {
			t.Errorf("LossyKey(%+q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzUTF16Key checks that keys compare as the UTF-16 units of the names.
func FuzzUTF16Key(f *testing.F) {
	names := []string{
		"", "\x00", "A", "a", "a\x00", "a.b", "aé", "a日", "a\ud7ff", "a\U00010000", "a\U00010000\uffff",
		"a😀", "a\U0010ffff", "a\ue000", "a\ue000\U00010000", "a\uf8ff", "a\uffff", "é", "日", "😀",
		"\ufffd",
	}
	for _, a := range names {
		for _, b := range names {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		got := bytes.Compare(UTF16Key(nil, []byte(a)), UTF16Key(nil, []byte(b)))
		if got != want {
			t.Errorf("UTF16Key order of (%+q, %+q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestKeysOfWellFormedNamesAreTheNames(t *testing.T) {
	name := []byte("a日😀")
	scratch := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { UTF16Key(scratch, name) }); n != 0 {
		t.Errorf("UTF16Key allocates %v times", n)
	}
	if key := UTF16Key(scratch, name); &key[0] != &name[0] {
		t.Error("UTF16Key copied a name that is its own key")
	}
}

// TestASCII puts a byte that is not ASCII at every position of names of every length up to three
// words.
func TestASCII(t *testing.T) {
	for length := range 26 {
		name := bytes.Repeat([]byte{0x7f}, length)
		if !ASCII(name) {
			t.Errorf("%q is not ASCII", name)
		}
		for at := range length {
			name[at] = 0x80
			if ASCII(name) {
				t.Errorf("%q is ASCII", name)
			}
			name[at] = 0x7f
		}
	}
}

// TestKeysAreCheap compares the time for the key of a usual name with the time for validating it.
// The keys of a directory are computed for each name, so they are a fifth of the time of a listing.
func TestKeysAreCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector changes the ratio")
	}
	name := []byte("file-0123456.json")
	fastest := func(f func()) time.Duration {
		best := time.Hour
		for range 50 {
			start := time.Now()
			for range 2000 {
				f()
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	valid := fastest(func() { utf8.Valid(name) })
	for what, key := range map[string]func(scratch, name []byte) []byte{
		"LossyKey": LossyKey, "UTF16Key": UTF16Key,
	} {
		if took := fastest(func() { key(nil, name) }); took > valid {
			t.Errorf("2,000 of %s take %v, of utf8.Valid %v", what, took, valid)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for value, want := range map[string]string{
		"":                            "",
		"a\nb\u202e\x1b漢\"":           `a\nb\u202e\u001b漢"`,
		strings.Repeat("x", 60):       strings.Repeat("x", 60),
		"x" + strings.Repeat("漢", 20): "x" + strings.Repeat("漢", 19) + "...",
		strings.Repeat("\x00", 1000):  strings.Repeat(`\u0000`, 60) + "...",
	} {
		if got := Excerpt(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
