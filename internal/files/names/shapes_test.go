package names

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A shown is an entry that is added to a TopK.
type shown struct {
	name string
	kind workspace.EntryKind
}

// shapes returns directories of different sizes, kinds of names and orders of arrival: sizes around
// those at which the way of sorting changes, more names than a chunk holds, and names that share
// more bytes than an element's prefix has.
func shapes() map[string][]shown {
	r := rand.New(rand.NewPCG(1, 2))
	numbered := func(n int, format string) []shown {
		s := make([]shown, n)
		for i := range s {
			s[i] = shown{fmt.Sprintf(format, i), workspace.Regular}
		}
		return s
	}
	shuffled := func(s []shown) []shown {
		r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		return s
	}
	backwards := func(s []shown) []shown {
		slices.Reverse(s)
		return s
	}
	var runs, odd, kinds []shown
	for _, run := range []string{"a", "module-", "module-with-a-long-name-", "module-with-a-long-name/"} {
		runs = append(runs, numbered(1100, run+"%05d")...)
	}
	for range 3000 {
		odd = append(odd, shown{randomName(r), workspace.EntryKind(r.IntN(5))})
	}
	for i := range 2500 {
		kinds = append(kinds, shown{fmt.Sprintf("entry-number-%d", i), workspace.EntryKind(i % 5)})
	}
	return map[string][]shown{
		"none":              nil,
		"one":               numbered(1, "only%d"),
		"few":               shuffled(numbered(20, "%d")),
		"minRemoval":        shuffled(numbered(minRemoval, "%04d")),
		"many":              shuffled(numbered(20_000, "%d")),
		"ascending":         numbered(3000, "file-%07d.go"),
		"descending":        backwards(numbered(3000, "file-%07d.go")),
		"several chunks":    shuffled(numbered(chunkSize/150, strings.Repeat("x", 190)+"%06d")),
		"runs":              shuffled(runs),
		"prefixes":          shuffled(prefixes(1500)),
		"any bytes":         distinct(odd),
		"kinds":             shuffled(kinds),
		"hundreds of ties":  shuffled(numbered(600, "T%d")),
		"thousands of ties": shuffled(numbered(2000, "T%d")),
	}
}

// prefixes returns names that are prefixes of each other or differ only at their ends.
func prefixes(n int) []shown {
	var s []shown
	for i := range n {
		s = append(s, shown{strings.Repeat("p", 1+i%250) + fmt.Sprintf("%c", 'a'+i/250), workspace.Regular})
	}
	for i := 1; i < 250; i++ {
		s = append(s, shown{strings.Repeat("p", i), workspace.Directory})
	}
	return s
}

func distinct(s []shown) []shown {
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(e shown) bool {
		defer func() { seen[e.name] = true }()
		return seen[e.name]
	})
}

func randomName(r *rand.Rand) string {
	parts := []string{"a", "B", "\\", "é", "漢", "\ue000", "😀", "\xff", "\xe6\xbc", "-", "0", "\n", "zz"}
	name := parts[r.IntN(len(parts))]
	for range r.IntN(12) {
		name += parts[r.IntN(len(parts))]
	}
	return name
}

// orders returns the orders that dialects use, and others.
func orders() map[string]Order {
	directoriesFirst := func(k workspace.EntryKind) uint8 {
		if k == workspace.Directory {
			return 0
		}
		return 1
	}
	backwards := &[256]uint8{} // ranks of capitals and all ASCII characters after them
	for b := 'A'; b < 0x80; b++ {
		backwards[b] = 0x80 - uint8(b) + 0x20
	}
	enUS := text.NewCollator()
	return map[string]Order{
		"raw":       {},
		"raw, cut":  {MaxKey: 7},
		"lossy":     {Key: text.LossyKey},
		"lossy cut": {Key: text.LossyKey, MaxKey: 8},
		"no key":    {Key: text.LossyKey, MaxKey: -1},
		"tree":      {Key: text.UTF16Key, Class: func(k workspace.EntryKind) uint8 { return 255 - uint8(k) }},
		"en-US":     {Key: enUS.AppendKey, Class: directoriesFirst},
		"ranks":     {Ranks: enUS.Ranks(), Key: enUS.AppendKey, Class: directoriesFirst},
		"backwards": {Ranks: backwards},
		"ranks cut": {Ranks: enUS.Ranks(), Key: enUS.AppendKey, MaxKey: 6},
		"one key":   {Key: func(dst, _ []byte) []byte { return append(dst, "one and only"...) }},
		"two keys":  {Key: func(dst, name []byte) []byte { return append(dst, make([]byte, 1+len(name)%2)...) }},
		"NUL ahead": {Key: func(dst, name []byte) []byte { return append(append(dst, make([]byte, 20+len(name)%9)...), name...) }},
	}
}
