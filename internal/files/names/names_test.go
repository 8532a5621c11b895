package names

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// TestTopK compares lists with the sorted directory, for all shapes of directories and all orders.
// One TopK makes all of them, each in the memory of the one before.
func TestTopK(t *testing.T) {
	p := &TopK{}
	var spare List
	ways := []Query{{}, {Limit: 1}, {Limit: 25}, {Limit: 300}, {Limit: 100_000}, {MaxBytes: 1}, {MaxBytes: 9000}, {MaxBytes: 5000, Limit: 400}, {MaxBytes: math.MaxInt}}
	for shape, all := range shapes() {
		if testing.Short() && len(all) > 2500 {
			continue
		}
		for name, order := range orders() {
			for i, how := range ways {
				if i != len(shape+name)%len(ways) {
					continue // only one query each, to save time
				}
				how.Order = order
				spare = pick(t, p, how, all, spare)
				check(t, fmt.Sprintf("%s, %s, %d wanted, room for %d", shape, name, how.Limit, how.MaxBytes), &spare, how, all)
			}
		}
	}
}

// TestKeyIsName checks for which names Item.KeyIsName is set.
func TestKeyIsName(t *testing.T) {
	for _, tt := range []struct {
		order Order
		name  string
		want  bool
	}{
		{Order{}, "name", true},
		{Order{}, "", true},
		{Order{MaxKey: 4}, "name", true},
		{Order{MaxKey: 3}, "name", false},
		{Order{MaxKey: -1}, "name", false},
		{Order{Key: text.LossyKey}, "name", true},
		{Order{Key: text.LossyKey}, "n\xff", false},
		{Order{Key: text.LossyKey, MaxKey: 3}, "name", false},
		{Order{Ranks: text.NewCollator().Ranks()}, "name", false},
		{Order{Ranks: text.NewCollator().Ranks()}, "Name", true},
		{Order{Key: func(dst, name []byte) []byte { return append(dst, name...) }}, "name", false},
	} {
		l := pick(t, &TopK{}, Query{Order: tt.order}, []shown{{tt.name, workspace.Regular}}, List{})
		if got := l.At(0); got.KeyIsName != tt.want || string(got.Name) != tt.name {
			t.Errorf("%q cut to %d: %q, its own key: %v", tt.name, tt.order.MaxKey, got.Name, got.KeyIsName)
		}
	}
}

// TestLongKeys has keys that are longer than what is stored of them. Names decide if the stored
// parts are equal.
func TestLongKeys(t *testing.T) {
	long := make([]byte, 3*maxStoredKey)
	key := func(dst, name []byte) []byte { return append(append(append(dst, name[0]), long...), 255-name[1]) }
	var all []shown
	for i := range 60 {
		all = append(all, shown{fmt.Sprintf("%c%c", 'a'+i%7, 'a'+(i*11)%60), workspace.Regular})
	}
	sorted := slices.SortedFunc(slices.Values(all), func(a, b shown) int { return strings.Compare(a.name, b.name) })
	l := pick(t, &TopK{}, Query{Order: Order{Key: key}}, all, List{})
	checkNames(t, "long keys", &l, sorted)
}

// TestAfterAndKeep checks queries with a bound and a filter. Names that these exclude do not affect
// List.More.
func TestAfterAndKeep(t *testing.T) {
	even := func(name []byte, _ workspace.EntryKind) (keep, mark bool) { return name[len(name)-1]%2 == 0, false }
	none := func([]byte, workspace.EntryKind) (keep, mark bool) { return false, false }
	for shape, all := range shapes() {
		if len(all) < 2 || len(all) > 2500 || len(shape)%2 == 0 { // only half of them, to save time
			continue
		}
		for name, order := range orders() {
			sorted := reference(Query{Order: order}, all)
			for _, at := range []int{0, len(sorted) / 2, len(sorted) - 1} {
				after := order.Bound([]byte(sorted[at].name), sorted[at].kind)
				for _, how := range []Query{
					{Order: order, After: after, Limit: 10},
					{Order: order, After: after, Keep: even},
					{Order: order, After: after, Keep: even, Limit: 600},
					{Order: order, Keep: none, Limit: 10},
				} {
					l := pick(t, &TopK{}, how, all, List{})
					check(t, fmt.Sprintf("%s, %s, after %d", shape, name, at), &l, how, all)
				}
			}
		}
	}
}

// TestBound gives a TopK less memory than a list needs. Several queries, each after the last name
// of the list before, then return every name once.
func TestBound(t *testing.T) {
	for shape, all := range shapes() {
		for name, order := range orders() {
			if len(all) > 2500 || len(shape)%3 != len(name)%3 { // only a third of them, to save time
				continue
			}
			for _, want := range []int{0, 700} {
				p := &TopK{heldBytes: 24 << 10}
				how := Query{Order: order, Limit: want}
				var got []shown
				var l List
				for pass := 1; ; pass++ {
					l = pick(t, p, how, all, l)
					for i := range l.Len() {
						e := l.At(i)
						got = append(got, shown{string(e.Name), e.Kind})
					}
					if !l.More() {
						break
					}
					if l.Len() == 0 || pass > len(all) {
						t.Fatalf("%s, %s: pass %d lists nothing more", shape, name, pass)
					}
					last := l.At(l.Len() - 1)
					how.After = order.Bound(last.Name, last.Kind)
				}
				if want := reference(Query{Order: order}, all); !slices.Equal(got, want) {
					t.Errorf("%s, %s: all passes list %d names, not the %d there are", shape, name, len(got), len(want))
				}
			}
		}
	}
}

// TestBoundNearLimit has a memory bound close to the size of the names that are needed. Names must
// then be removed in large batches and not a few at a time.
func TestBoundNearLimit(t *testing.T) {
	all := shapes()["descending"]
	const fit = 1000
	record := recordHead + len(all[0].name) + elementSize
	for want := fit - 5; want <= fit+5; want++ {
		p := &TopK{heldBytes: fit * record}
		p.Reset(t.Context(), Query{Limit: want}, List{})
		drops := 0
		for _, s := range all {
			before := p.limit
			p.Add([]byte(s.name), s.kind)
			if p.limit != before {
				drops++
			}
		}
		if drops > 3*len(all)/fit {
			t.Errorf("%d wanted where %d fit: %d names are dropped in %d steps", want, fit, len(all), drops)
		}
	}
}

// TestTwice adds names twice, as can happen if a directory changes while it is read. No other name
// may get lost.
func TestTwice(t *testing.T) {
	all := shapes()["ascending"]
	twice := slices.Concat(all, all[:1000], all[2500:])
	for _, want := range []int{0, 1, 25, 1300} {
		l := pick(t, &TopK{}, Query{Limit: want}, twice, List{})
		var got []shown
		for i := range l.Len() {
			e := l.At(i)
			got = append(got, shown{string(e.Name), e.Kind})
		}
		if once := slices.Compact(got); !slices.Equal(once, all[:len(once)]) || len(got) < min(want, len(all)) {
			t.Errorf("%d wanted: %d names, %d without those that are listed twice", want, len(got), len(once))
		}
	}
}

// TestListStays checks that lists do not change while their TopK makes others in the memory of
// lists that are no longer used.
func TestListStays(t *testing.T) {
	var p TopK
	type made struct {
		List
		want []shown
	}
	var used []made
	r := rand.New(rand.NewPCG(3, 4))
	byShape := shapes()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range byShape {
			if len(byShape[name]) < 4000 && !yield(name) {
				return
			}
		}
	})
	for round := range 60 {
		all := byShape[names[r.IntN(len(names))]]
		how := Query{Order: orders()["lossy"], Limit: []int{0, 10, 600}[r.IntN(3)]}
		var spare List
		if len(used) > 4 {
			i := r.IntN(len(used))
			spare = used[i].List
			used = slices.Delete(used, i, i+1)
		}
		l := pick(t, &p, how, all, spare)
		used = append(used, made{l, reference(how, all)[:l.Len()]})
		for _, m := range used {
			checkNames(t, fmt.Sprint("round ", round), &m.List, m.want)
		}
	}
}

// TestBytes checks that List.Bytes includes unused memory that the list has from a larger one.
func TestBytes(t *testing.T) {
	var p TopK
	large := pick(t, &p, Query{}, shapes()["several chunks"], List{})
	before := large.Bytes()
	if small := pick(t, &p, Query{}, shapes()["few"], large); small.Bytes() < before {
		t.Errorf("a list in the memory of one of %d bytes is said to take %d", before, small.Bytes())
	}
}

// TestCancel cancels the context at different points. The TopK must return its error instead of a
// list, and work again after the next Reset.
func TestCancel(t *testing.T) {
	var p TopK
	for shape, all := range shapes() {
		for name, order := range orders() {
			if len(shape)%4 != len(name)%4 { // only a quarter of them, to save time
				continue
			}
			for _, asked := range []int{0, 1, 2, 5} {
				ctx := &cancelAfter{Context: t.Context(), left: asked}
				how := Query{Order: order, Limit: 25}
				p.Reset(ctx, how, List{})
				stopped := slices.ContainsFunc(all, func(s shown) bool { return !p.Add([]byte(s.name), s.kind) })
				l, err := p.List()
				if over := ctx.left < 0; over != errors.Is(err, context.Canceled) {
					t.Errorf("%s, %s, over after %d: %v", shape, name, asked, err)
				}
				if err == nil {
					check(t, shape, &l, how, all)
				}
				if stopped && err == nil {
					t.Errorf("%s, %s: stopped without an error", shape, name)
				}
			}
			l := pick(t, &p, Query{Order: order}, all, List{})
			check(t, shape, &l, Query{Order: order}, all)
		}
	}
}

// cancelAfter is a context that is cancelled when Err has been called left times.
type cancelAfter struct {
	context.Context
	left int
}

func (c *cancelAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// FuzzTopK makes lists of generated names. Each name in the input stands for many.
func FuzzTopK(f *testing.F) {
	f.Add([]byte("a\x00b\x00ab\x00\x00"), uint16(1), uint16(0), uint8(0), int8(0))
	f.Add([]byte("same\x00same-\x00same--\x00"), uint16(700), uint16(25), uint8(1), int8(5))
	f.Add([]byte("k\x00\xff\x00\xe6\xbc\x00K\x00"), uint16(400), uint16(0), uint8(2), int8(-1))
	f.Add(bytes.Repeat([]byte("long-"), 50), uint16(3000), uint16(1000), uint8(3), int8(127))
	f.Fuzz(func(t *testing.T, data []byte, copies, want uint16, order uint8, most int8) {
		var all []shown
		for i, part := range bytes.Split(data[:min(len(data), 400)], []byte{0}) {
			for n := range 1 + int(copies)%3000/(1+bytes.Count(data, []byte{0})) {
				all = append(all, shown{fmt.Sprintf("%s%.*d", part, n%5, n), workspace.EntryKind((i + n) % 5)})
			}
		}
		all = distinct(all)
		keys := slices.Sorted(func(yield func(string) bool) {
			for name := range orders() {
				if !yield(name) {
					return
				}
			}
		})
		how := Query{Order: orders()[keys[int(order)%len(keys)]], Limit: int(want)}
		if how.Order.MaxKey == 0 {
			how.Order.MaxKey = int(most)
		}
		p := &TopK{heldBytes: 64 << 10}
		if order >= 128 {
			p.heldBytes = 0
		}
		l := pick(t, p, how, all, List{})
		if p.heldBytes != largeShare {
			how.Limit = 1 // the memory bound may be reached before the limit
		}
		check(t, "", &l, how, all)
	})
}

// TestMarked checks that marks stay with their names when others are removed.
func TestMarked(t *testing.T) {
	isOdd := func(name []byte) bool { return name[len(name)-4]%2 == 1 } // the last digit of file-0000000.go
	for _, limit := range []int{0, 25, 700} {
		q := Query{Limit: limit, Keep: func(name []byte, _ workspace.EntryKind) (keep, mark bool) { return true, isOdd(name) }}
		l := pick(t, &TopK{}, q, shapes()["descending"], List{})
		for i := range l.Len() {
			if e := l.At(i); e.Marked != isOdd(e.Name) || e.Kind != workspace.Regular {
				t.Fatalf("limit %d: %q is marked: %v, kind %v", limit, e.Name, e.Marked, e.Kind)
			}
		}
	}
}
