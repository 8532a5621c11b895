package awk

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// elementSize is an estimate of the memory of an element without its texts, in bytes.
const elementSize = 160

// An array has elements by key, and their keys in the order of insertion.
type array struct {
	elements map[string]*cell
	keys     []string // with those of deleted elements
}

// element returns the element of a key, which it adds if it is missing.
func (m *machine) element(a *array, key string) *cell {
	if c := a.elements[key]; c != nil {
		return c
	}
	m.account.Grab(len(key) + elementSize)
	key = strings.Clone(key)
	c := new(cell)
	a.elements[key] = c
	a.keys = append(a.keys, key)
	return c
}

func (m *machine) put(a *array, key string, v value) { m.keep(m.element(a, key), v) }

func (m *machine) remove(a *array, key string) {
	c := a.elements[key]
	if c == nil {
		return
	}
	m.account.Drop(len(key) + elementSize + len(c.s))
	delete(a.elements, key)
	if len(a.keys) > 64 && len(a.keys) > 2*len(a.elements) {
		a.keys = a.inserted()
	}
}

func (m *machine) clear(a *array) {
	for key, c := range a.elements {
		m.account.Drop(len(key) + elementSize + len(c.s))
	}
	clear(a.elements)
	a.keys = nil
}

// inserted returns the keys in the order of insertion.
func (a *array) inserted() []string {
	keys := make([]string, 0, len(a.elements))
	listed := make(map[string]bool, len(a.elements))
	for _, key := range slices.Backward(a.keys) { // a key that was deleted counts as inserted later
		if a.elements[key] != nil && !listed[key] {
			listed[key] = true
			keys = append(keys, key)
		}
	}
	slices.Reverse(keys)
	return keys
}

// ordered returns the keys in the order in which gawk 5 visits them. POSIX leaves it open, but
// programs print in it. It follows from the tables that gawk keeps: one for small integers, which
// is ascending, and one for texts. The order of integers that are far apart is refused.
func (m *machine) ordered(a *array) []string {
	keys := a.inserted()
	if len(keys) == 0 {
		return keys
	}
	if _, isInteger := integerKey(keys[0]); !isInteger {
		return textOrder(keys)
	}
	small, others := separate(keys)
	for _, key := range others {
		if _, isInteger := integerKey(key); isInteger {
			m.refuse("for (... in ...) over integers that are negative or far apart, such as %s, is "+
				"not available here; put a letter before them", key)
		}
	}
	slices.Sort(small)
	listed := textOrder(others)
	for _, k := range small {
		listed = append(listed, strconv.Itoa(k))
	}
	return listed
}

// integerKey returns the integer of a key that is written as an integer is printed.
func integerKey(key string) (int, bool) {
	if len(key) > 11 {
		return 0, false
	}
	n, err := strconv.ParseInt(key, 10, 32)
	return int(n), err == nil && strconv.Itoa(int(n)) == key
}

// separate returns the keys that gawk keeps in its table of small integers, which may waste 2,048
// places, and the others.
func separate(keys []string) (small []int, others []string) {
	leaves := make(map[int]bool)
	capacity := 0
	for _, key := range keys {
		k, isInteger := integerKey(key)
		if !isInteger || k < 0 {
			others = append(others, key)
			continue
		}
		level := max(bits.Len(uint(k))-1, 10)
		size := 1 << half(level, 11)
		leaf := size + k&^(size-1)
		if !leaves[leaf] && capacity+1<<half(level, 10)-len(small) > 2048 {
			others = append(others, key)
			continue
		}
		if !leaves[leaf] {
			leaves[leaf] = true
			capacity += size
		}
		small = append(small, k)
	}
	return small, others
}

// half halves a level, rounding up, at least once and until it is below a limit.
func half(level, limit int) int {
	level = (level + 1) / 2
	for level >= limit {
		level = (level + 1) / 2
	}
	return level
}

// tableSizes are the numbers of chains of gawk's tables as they grow.
var tableSizes = []int{13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147, 524309, 1048583}

// textOrder returns the order of keys in gawk's table of texts: new keys come first in their chain,
// and a table that grows moves its keys in order.
func textOrder(keys []string) []string {
	sizes := tableSizes
	chains := make([][]string, sizes[0])
	insert := func(key string) {
		at := textHash(key) % uint32(len(chains))
		chains[at] = append(chains[at], key)
	}
	for i, key := range keys {
		if (i+1)/len(chains) > 2 && len(sizes) > 1 {
			sizes = sizes[1:]
			moved := listChains(chains)
			chains = make([][]string, sizes[0])
			for _, key := range moved {
				insert(key)
			}
		}
		insert(key)
	}
	return listChains(chains)
}

func listChains(chains [][]string) []string {
	var keys []string
	for _, chain := range chains {
		for _, key := range slices.Backward(chain) {
			keys = append(keys, key)
		}
	}
	return keys
}

// textHash is the hash of the database library sdbm, on signed bytes.
func textHash(key string) uint32 {
	var h uint32
	for _, c := range []byte(key) {
		h = h*65599 + uint32(int32(int8(c)))
	}
	return h
}
