package names

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// reference returns all names that the query admits, sorted. A list must be a prefix of them.
func reference(p Query, all []shown) []shown {
	type keyed struct {
		shown
		class uint8
		key   string
	}
	key := func(s shown) keyed {
		k := keyed{shown: s, key: s.name}
		if ranks, all := ranksOf(p.Order, s.name); all {
			k.key = ranks
		} else if p.Order.Key != nil {
			k.key = string(p.Order.Key(nil, []byte(s.name)))
		}
		if p.Order.MaxKey < 0 {
			k.key = ""
		} else if p.Order.MaxKey > 0 {
			k.key = text.Cut(k.key, p.Order.MaxKey)
		}
		if p.Order.Class != nil {
			k.class = p.Order.Class(s.kind)
		}
		return k
	}
	compare := func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.class, b.class), strings.Compare(a.key, b.key), strings.Compare(a.name, b.name))
	}
	var sorted []keyed
	for _, s := range all {
		if p.Keep != nil {
			if keep, _ := p.Keep([]byte(s.name), s.kind); !keep {
				continue
			}
		}
		sorted = append(sorted, key(s))
	}
	slices.SortFunc(sorted, compare)
	if p.After != nil {
		after := keyed{class: p.After.class, key: string(p.After.key.mapped(new([]byte)))}
		after.name = string(p.After.name)
		from, found := slices.BinarySearchFunc(sorted, after, compare)
		if found {
			from++
		}
		sorted = sorted[from:]
	}
	got := make([]shown, len(sorted))
	for i, k := range sorted {
		got[i] = k.shown
	}
	return got
}

// ranksOf returns the ranks of the bytes of a name, and whether all have one.
func ranksOf(o Order, name string) (ranks string, all bool) {
	if o.Ranks == nil {
		return "", false
	}
	b := []byte(name)
	for i := range b {
		b[i] = o.Ranks[b[i]]
	}
	return string(b), bytes.IndexByte(b, 0) < 0
}

// pick adds all names to p and returns the list. It overwrites each name afterwards, since p must
// not retain it.
func pick(t testing.TB, p *TopK, how Query, all []shown, spare List) List {
	t.Helper()
	p.Reset(t.Context(), how, spare)
	buf := make([]byte, 0, 256)
	for _, s := range all {
		buf = append(buf[:0], s.name...)
		if !p.Add(buf, s.kind) {
			t.Fatal("Add returns false")
		}
		clear(buf)
		if held := p.kept.size + elementSize*p.kept.count; held > p.heldBytes {
			t.Fatalf("the TopK holds %d bytes of at most %d", held, p.heldBytes)
		}
	}
	if p.Added() != len(all) {
		t.Errorf("%d names were shown, %d seen", len(all), p.Added())
	}
	l, err := p.List()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// check compares a list with the reference.
func check(t testing.TB, what string, l *List, how Query, all []shown) {
	t.Helper()
	want := reference(how, all)
	n := l.Len()
	switch {
	case n > len(want), l.More() != (n < len(want)):
		t.Fatalf("%s: %d of %d names are listed, more: %v", what, n, len(want), l.More())
	case n < wanted(how, want):
		t.Fatalf("%s: %d names are listed, %d are wanted of %d", what, n, wanted(how, want), len(want))
	}
	checkNames(t, what, l, want[:n])
	checkNonDirRun(t, what, l)
}

// wanted returns the number of names that the list must have at least: as many as the query asks
// for, and one more if its MaxBytes have no room for all.
func wanted(how Query, sorted []shown) int {
	n := len(sorted)
	if how.Limit > 0 {
		n = min(n, how.Limit)
	}
	if how.MaxBytes > 0 {
		room := how.MaxBytes
		for i, s := range sorted[:n] {
			if room -= len(s.name) + 1; room < 0 {
				return i + 1
			}
		}
	}
	return n
}

func checkNames(t testing.TB, what string, l *List, want []shown) {
	t.Helper()
	if l.Len() != len(want) {
		t.Fatalf("%s: %d names, not %d", what, l.Len(), len(want))
	}
	text := 0
	for i := range want {
		e := l.At(i)
		if string(e.Name) != want[i].name || e.Kind != want[i].kind {
			t.Fatalf("%s: number %d is %q, %v, not %q, %v", what, i, e.Name, e.Kind, want[i].name, want[i].kind)
		}
		text += len(e.Name)
	}
	if l.Bytes() < text {
		t.Errorf("%s: names of %d bytes are said to take %d", what, text, l.Bytes())
	}
}

// checkNonDirRun compares NonDirRun with a scan of the items.
func checkNonDirRun(t testing.TB, what string, l *List) {
	t.Helper()
	others := 0
	for i := l.Len(); i >= 0; i-- {
		if i < l.Len() {
			others++
			if l.At(i).Kind == workspace.Directory {
				others = 0
			}
		}
		if got := l.NonDirRun(i); got != others {
			t.Fatalf("%s: %d others from %d on, not %d", what, got, i, others)
		}
	}
}
