package text

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit/node"
)

func TestCollator(t *testing.T) {
	ascending := []string{ // | separates equal names
		"|\x7f", " a", "_a", "-a", ".a", "@a", "~a", "⏳", "⏸", "☃", "🌀", "🥑", "🧠", "😀", "1", "10", "2",
		"a", "A", "á", "\u00c5|\u212b", "ä", "a b", "a-b", "a.b", "a1", "ab|a\x00b|a\u200db", "aB", "Ab",
		"AB", "ac", "b", "B", "é|e\u0301", "f", "z", "Z", "б", "한|\u1112\u1161\u11ab", "あ",
		"一", "丁", "七", "三", "中", "日", "本", "龥", "龦", "鿿", "㐀", "䶿", "𠀀", // JavaScript: by radical
		"\ufffd",
	}
	c := NewCollator()
	for i := range ascending {
		for j := range ascending {
			for a := range strings.SplitSeq(ascending[i], "|") {
				for b := range strings.SplitSeq(ascending[j], "|") {
					if got, want := compareKeys(c, a, b), cmp.Compare(i, j); got != want {
						t.Errorf("compareKeys(%+q, %+q) = %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

// compareAsCLDR compares the order of the keys of two names with CLDR's collator.
func compareAsCLDR(t *testing.T, c *Collator, a, b string) {
	t.Helper()
	want := c.cldr.CompareString(modernize(a), modernize(b))
	if got := compareKeys(c, a, b); got != want {
		t.Errorf("the keys of %+q and %+q compare as %d, want %d", a, b, got, want)
	}
}

// TestCollatorAsCLDR compares keys for all pairs of ASCII characters and for random pairs.
func TestCollatorAsCLDR(t *testing.T) {
	c := NewCollator()
	for a := range utf8.RuneSelf {
		for b := range utf8.RuneSelf {
			compareAsCLDR(t, c, string(rune(a)), string(rune(b)))
			compareAsCLDR(t, c, "x"+string(rune(a)), "X"+string(rune(b)))
			compareAsCLDR(t, c, string(rune(a))+"x", string(rune(b))+"X")
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 200_000 {
		a, b := relatedNames(random, classes[i%2])
		compareAsCLDR(t, c, a, b)
	}
}

// compareKeys compares the keys of two names.
func compareKeys(c *Collator, a, b string) int {
	kept := []byte("kept")
	return bytes.Compare(c.AppendKey(kept, []byte(a)), c.AppendKey(kept[:4:4], []byte(b)))
}

func TestCollatorAsNode(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pairs := make([][2]string, 20_000)
	for i := range pairs {
		pairs[i][0], pairs[i][1] = relatedNames(random, classes[i%2])
	}
	compareAsNode(t, pairs)
}

func TestCollatorEmojiAsNode(t *testing.T) {
	var emoji []string
	node.Ask(t, `
		const emoji = [];
		for (let c = 0x80; c < 0x20000; c++) {
			if (/\p{Emoji}/u.test(String.fromCodePoint(c))) emoji.push(String.fromCodePoint(c));
		}
		console.log(JSON.stringify(emoji));
	`, nil, &emoji)
	random := rand.New(rand.NewPCG(9, 10))
	others := []string{
		"", "a", "z", "A", "0", "-", "_", "$", "~", "é", "あ", "日", "☃", "\ufe0f", "\u200d", "\ufffd",
	}
	draw := func() string {
		var s strings.Builder
		for range 1 + random.IntN(3) {
			if random.IntN(2) == 0 {
				s.WriteString(others[random.IntN(len(others))])
			} else {
				s.WriteString(emoji[random.IntN(len(emoji))])
			}
		}
		return s.String()
	}
	pairs := make([][2]string, 20_000)
	for i := range pairs {
		pairs[i] = [2]string{draw(), draw()}
		if i%2 == 0 {
			common := draw()
			pairs[i] = [2]string{common + pairs[i][0], common + pairs[i][1]}
		}
	}
	compareAsNode(t, pairs)
}

func compareAsNode(t *testing.T, pairs [][2]string) {
	t.Helper()
	var want []int
	node.Ask(t, `
		const compare = new Intl.Collator("en-US").compare;
		console.log(JSON.stringify(questions.map(([a, b]) => Math.sign(compare(a, b)))));
	`, pairs, &want)
	c := NewCollator()
	for i, p := range pairs {
		if got := compareKeys(c, p[0], p[1]); got != want[i] {
			t.Errorf("compareKeys(%+q, %+q) = %d, node says %d", p[0], p[1], got, want[i])
		}
	}
}

// classes are the first and last characters of classes of ASCII, and of classes in which the tables
// of the collator are known to agree with today's.
var classes = [2][]rune{
	[]rune("\x00\x7facACxz09 /:@\x00\x1f"),
	[]rune("\x00\x7faeAEll-.\u00a0\u00ff\u00b7\u00b7\u0100\u017f\u0300\u0308\u03b1\u03c9\u0410\u044f" +
		"\u05d0\u05ea\u0627\u064a\u0905\u0939\u0e01\u0e2e" +
		"\u200b\u200d\u3041\u3096\u30a1\u30fa\u4e00\u9fa5" +
		"\uac00\ud7a3"),
}

// relatedNames draws two names that often have the same beginning, differ only in case, or differ
// in one character.
func relatedNames(random *rand.Rand, classes []rune) (string, string) {
	draw := func(n int) []rune {
		name := make([]rune, n)
		for i := range name {
			c := 2 * random.IntN(len(classes)/2)
			name[i] = classes[c] + random.Int32N(classes[c+1]-classes[c]+1)
		}
		return name
	}
	a := draw(random.IntN(8))
	b := append([]rune{}, a...)
	switch random.IntN(5) {
	case 0:
		b = draw(random.IntN(8))
	case 1:
		b = append(b[:random.IntN(len(b)+1)], draw(random.IntN(4))...)
	case 2:
		b = append(draw(1), b...)
	case 3:
		b = []rune(strings.ToUpper(string(b)))
	default:
		if len(b) > 0 {
			b[random.IntN(len(b))] = draw(1)[0]
		}
	}
	return string(a), string(b)
}

func FuzzCollator(f *testing.F) {
	f.Add("a", "A")
	f.Add("e\u0301", "é")
	f.Add("l·l", "lz")
	f.Add("\u0301", "\u0316\u0301")
	f.Add("\xff", "\ufffd")
	f.Add(strings.Repeat("\u0316\u0301", 40), strings.Repeat("\u0301\u0316", 40))
	f.Fuzz(func(t *testing.T, a, b string) {
		c := NewCollator()
		compareKeys(c, a, b) // must not panic for ill-formed names, which have no order
		compareAsCLDR(t, c, Lossy(a), Lossy(b))
	})
}
