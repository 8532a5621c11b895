package names

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// A shown is an entry as added to a topK.
type shown struct {
	name string
	kind workspace.EntryKind
}

func numbered(n int, format string) []shown {
	s := make([]shown, n)
	for i := range s {
		s[i] = shown{fmt.Sprintf(format, i), workspace.EntryKind(i % 5)}
	}
	return s
}

// shapes returns directories of different sizes, kinds of names and orders of arrival. They include
// sizes around the thresholds of the sorting algorithms, more names than fit in a chunk, names with
// a common prefix, and prefixes of each other.
func shapes() map[string][]shown {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{
		"a", "B", "\\", "é", "漢", "\ue000", "😀", "\xff", "\xe6\xbc", "-", "0", "\n", "zz",
	}
	var runs, odd, prefixes []shown
	const long = "module-with-a-long-name"
	for _, run := range []string{"a", "module-", long + "-", long + "/"} {
		runs = append(runs, numbered(1100, run+"%05d")...)
	}
	for i := range 3000 {
		name := ""
		for range 1 + r.IntN(12) {
			name += parts[r.IntN(len(parts))]
		}
		odd = append(odd, shown{name, workspace.EntryKind(i % 5)})
	}
	for i := range 1500 {
		name := strings.Repeat("p", 1+i%250)
		prefixes = append(prefixes, shown{name + string(rune('a'+i/250)), workspace.Regular})
		if i < 250 {
			prefixes = append(prefixes, shown{name, workspace.Directory})
		}
	}
	all := map[string][]shown{
		"none":           nil,
		"one":            numbered(1, "only%d"),
		"few":            numbered(20, "%d"),
		"minRemoval":     numbered(minRemoval, "%04d"),
		"many":           numbered(20_000, "%d"),
		"several chunks": numbered(chunkSize/150, strings.Repeat("x", 190)+"%06d"),
		"runs":           runs,
		"prefixes":       prefixes,
		"any bytes":      distinct(odd),
		"kinds":          numbered(2500, "entry-number-%d"),
		"hundreds":       numbered(600, "T%d"),
	}
	for _, shape := range slices.Sorted(maps.Keys(all)) {
		s := all[shape]
		r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	}
	all["ascending"] = numbered(3000, "file-%07d.go")
	all["descending"] = slices.Clone(all["ascending"])
	slices.Reverse(all["descending"])
	return all
}

func distinct(s []shown) []shown {
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(e shown) bool {
		defer func() { seen[e.name] = true }()
		return seen[e.name]
	})
}

// orders returns the orders of the tools, and others.
func orders() map[string]Order {
	enUS := text.NewCollator()
	return map[string]Order{
		"raw":       {},
		"raw, cut":  {MaxKey: 7},
		"lossy":     {Key: text.LossyKey},
		"lossy cut": {Key: text.LossyKey, MaxKey: 8},
		"no key":    {Key: text.LossyKey, MaxKey: NoKeys},
		"tree": {Key: text.UTF16Key, Class: func(k workspace.EntryKind) uint8 {
			return 255 - uint8(k)
		}},
		"en-US":     {Key: enUS.AppendKey, Class: DirectoriesFirst},
		"en-US cut": {Key: enUS.AppendKey, MaxKey: 6},
		"one key":   {Key: zeros(5)},
		"NUL ahead": {Key: func(dst, name []byte) []byte { return append(zeros(20)(dst, nil), name...) }},
	}
}

// zeros returns the Key of an [Order] that returns n zeros for each name.
func zeros(n int) func(dst, _ []byte) []byte {
	return func(dst, _ []byte) []byte { return append(dst, make([]byte, n)...) }
}

// each calls f with every shape of at most size names and a sample of the orders.
func each(size, oneIn int, f func(what string, all []shown, o Order)) {
	shapes, orders := shapes(), orders()
	for i, shape := range slices.Sorted(maps.Keys(shapes)) {
		for j, order := range slices.Sorted(maps.Keys(orders)) {
			if len(shapes[shape]) <= size && (i+j)%oneIn == 0 {
				f(shape+", "+order, shapes[shape], orders[order])
			}
		}
	}
}

// reference returns all names that the filter of a query keeps, sorted.
func reference(q Query, all []shown) []shown {
	boundOf := func(s shown) *bound {
		key, _ := q.Order.KeyOf(new([]byte), []byte(s.name))
		return q.Order.boundOf(Item{Name: []byte(s.name), Key: key, Kind: s.kind})
	}
	position := func(a, b *bound) int {
		return cmp.Or(cmp.Compare(a.class, b.class), strings.Compare(string(a.key), string(b.key)),
			strings.Compare(string(a.name), string(b.name)))
	}
	var sorted []shown
	bounds := map[string]*bound{}
	for _, s := range all {
		keep := true
		if q.Keep != nil {
			keep, _ = q.Keep([]byte(s.name), s.kind)
		}
		if bounds[s.name] = boundOf(s); keep {
			sorted = append(sorted, s)
		}
	}
	slices.SortFunc(sorted, func(a, b shown) int { return position(bounds[a.name], bounds[b.name]) })
	return sorted
}

// TestKeyOf checks the keys of names, which [reference] sorts by.
func TestKeyOf(t *testing.T) {
	enUS := text.NewCollator().AppendKey
	for _, tt := range []struct {
		order     Order
		name, key string
		isName    bool
	}{
		{Order{}, "name", "name", true},
		{Order{}, "", "", true},
		{Order{MaxKey: 4}, "name", "name", true},
		{Order{MaxKey: 3}, "name", "nam", false},
		{Order{MaxKey: 3}, "naé", "na", false},
		{Order{MaxKey: NoKeys}, "name", "", false},
		{Order{Key: text.LossyKey}, "name", "name", true},
		{Order{Key: text.LossyKey}, "n\xff", "n\ufffd", false},
		{Order{Key: text.LossyKey, MaxKey: 3}, "name", "nam", false},
		{Order{Key: enUS}, "name", string(enUS(nil, []byte("name"))), false},
		{Order{Key: zeros(0)}, "name", "", false},
		{Order{Key: zeros(3 * maxStoredKey)}, "name", string(make([]byte, maxStoredKey)), false},
		{Order{Key: zeros(70_000), MaxKey: 1 << 20}, "name", string(make([]byte, maxStoredKey)), false},
	} {
		l := pick(t, newTopK(t, reserved), Query{Order: tt.order}, []shown{{tt.name, workspace.Regular}})
		key, isName := tt.order.KeyOf(new([]byte), []byte(tt.name))
		if e := l.at(0); string(e.Key) != tt.key || isName != tt.isName || string(key) != tt.key {
			t.Errorf("%q cut to %d: keys %q and %q, is name: %v",
				tt.name, tt.order.MaxKey, e.Key, key, isName)
		}
	}
}

// newTopK returns a topK whose lists may take quota bytes.
func newTopK(t testing.TB, quota int) *topK {
	m := NewMemory(t.Context())
	m.quota, m.tried = quota, true
	return m.top
}

// pick adds all names to p and returns the list, whose memory counts as free. It overwrites each
// name afterwards, since p must not retain it.
func pick(t testing.TB, p *topK, q Query, all []shown) list {
	t.Helper()
	p.reset(q)
	buf := make([]byte, 0, 256)
	for _, s := range all {
		buf = append(buf[:0], s.name...)
		if !p.add(buf, s.kind) {
			t.Fatal("add returns false")
		}
		clear(buf)
		held := p.kept.size + placeSize*p.kept.count
		if most := p.memory.available(); p.kept.count >= minRemoval && held > most {
			t.Fatalf("the topK holds %d bytes of at most %d", held, most)
		}
	}
	l, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	p.memory.held -= l.size()
	return l
}

// check compares successive lists with the reference, and returns the last. Each must have the
// required names unless memory is short, and one more if MaxBytes has no space for all.
func check(t testing.TB, what string, p *topK, q Query, all []shown) (l list) {
	t.Helper()
	short := p.memory.quota < reserved
	want := reference(q, all)
	for range 9 {
		l = pick(t, p, q, all)
		required, size := len(want), 0
		if q.Limit > 0 {
			required = min(required, q.Limit)
		}
		for i, s := range want[:required] {
			if size += len(s.name) + 1; q.MaxBytes > 0 && size > q.MaxBytes {
				required = i + 1
				break
			}
		}
		if short {
			required = min(required, 1)
		}
		n := len(l.places)
		if n < required || n > len(want) || l.more != (n < len(want)) {
			t.Fatalf("%s: %d of %d names are listed, %d required, more: %v",
				what, n, len(want), required, l.more)
		}
		checkNames(t, what, q, &l, want[:n])
		if want = want[n:]; !l.more || n == 0 {
			break
		}
		last := l.at(n - 1)
		q.after = q.Order.boundOf(last)
	}
	return l
}

// checkNames checks the names of a list, and the size of a list.
func checkNames(t testing.TB, what string, q Query, l *list, want []shown) {
	t.Helper()
	if len(l.places) != len(want) {
		t.Fatalf("%s: %d names, not %d", what, len(l.places), len(want))
	}
	size := 0
	for i, s := range slices.Backward(want) {
		e := l.at(i)
		marked := q.Keep != nil && len(s.name)%2 == 1
		if string(e.Name) != s.name || e.Kind != s.kind || e.Marked != marked {
			t.Fatalf("%s: number %d is %q, %v, not %q, %v", what, i, e.Name, e, s.name, s.kind)
		}
		size += len(e.Name)
	}
	if l.size() < size {
		t.Errorf("%s: names of %d bytes are said to take %d", what, size, l.size())
	}
}
