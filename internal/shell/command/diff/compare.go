package diff

import (
	"math"

	"gander/internal/shell/command"
)

// A hunk replaces the lines a0 to a1 of one file by the lines b0 to b1 of the other.
type hunk struct{ a0, a1, b0, b1 int }

// moved returns h n lines further down.
func (h hunk) moved(n int) hunk { return hunk{h.a0 + n, h.a1 + n, h.b0 + n, h.b1 + n} }

// compare returns the differences of two sequences whose elements are less than ids. It finds the
// same of several shortest edit scripts as GNU diff: by Myers' algorithm from both ends.
func compare(account *command.Account, a, b []int32, ids int) (hunks []hunk) {
	account.Grab(2*(len(a)+len(b)) + 4*ids)
	changedA, changedB := make([]bool, len(a)+1), make([]bool, len(b)+1)
	m := matcher{account: account}
	m.a, m.indexA = common(account, a, b, ids, changedA)
	m.b, m.indexB = common(account, b, a, ids, changedB)
	m.changedA, m.changedB = changedA, changedB
	size := len(m.a) + len(m.b) + 3
	account.Grab(2 * 8 * size)
	m.forward, m.backward, m.zero = make([]int, size), make([]int, size), len(m.b)+1
	m.compare(0, len(m.a), 0, len(m.b))
	shift(account, a, changedA, changedB)
	shift(account, b, changedB, changedA)
	for i, j := 0, 0; i < len(a) || j < len(b); i, j = i+1, j+1 {
		h := hunk{a0: i, b0: j}
		for changedA[i] {
			i++
		}
		for changedB[j] {
			j++
		}
		h.a1, h.b1 = i, j
		if h.a0 < h.a1 || h.b0 < h.b1 {
			hunks = command.Append(account, hunks, h)
		}
	}
	return hunks
}

// common returns the elements of a that are worth comparing with b, and where they are. The others
// are changed.
func common(account *command.Account, a, b []int32, ids int, changed []bool) (
	kept []int32, index []int,
) {
	counts := make([]int32, ids)
	for _, id := range b {
		counts[id]++
	}
	account.Grab((4 + 8 + 1) * len(a))
	verdicts := make([]verdict, len(a))
	many := int32(5) // times about the square root of the number of lines
	for n := len(a) / 64 >> 2; n > 0; n >>= 2 {
		many *= 2
	}
	for i, id := range a {
		account.Tick()
		switch {
		case counts[id] == 0:
			verdicts[i] = left
		case counts[id] > many:
			verdicts[i] = frequent
		}
	}
	keepFrequent(verdicts)
	for i, id := range a {
		if verdicts[i] != compared {
			changed[i] = true
			continue
		}
		kept = append(kept, id)
		index = append(index, i)
	}
	return kept, index
}

// A verdict says whether an element is compared.
type verdict uint8

const (
	compared verdict = iota
	left             // it is not in the other sequence
	frequent         // it is there so often that a match means little
)

// keepFrequent makes frequent elements compared, except in runs of elements that are left, as GNU
// diff does.
func keepFrequent(v []verdict) {
	for i := 0; i < len(v); i++ {
		if v[i] == frequent {
			v[i] = compared
		}
		if v[i] == compared {
			continue
		}
		end := i
		for end < len(v) && v[end] != compared {
			end++
		}
		for v[end-1] == frequent {
			end--
			v[end] = compared
		}
		thinRun(v[i:end])
		i = end - 1
	}
}

// thinRun decides about the frequent elements of a run whose ends are left.
func thinRun(run []verdict) {
	count := 0
	for _, verdict := range run {
		if verdict == frequent {
			count++
		}
	}
	keep := func(run []verdict) {
		for i := range run {
			if run[i] == frequent {
				run[i] = compared
			}
		}
	}
	if 4*count > len(run) {
		keep(run)
		return
	}
	longest := 1 // about the square root of a quarter of the length
	for n := len(run) >> 2 >> 2; n > 0; n >>= 2 {
		longest *= 2
	}
	for i := 0; i < len(run); i++ {
		start := i
		for i < len(run) && run[i] == frequent {
			i++
		}
		if i-start > longest {
			keep(run[start:i])
		}
	}
	keep(run[:settled(run, func(i int) verdict { return run[i] })])
	n := settled(run, func(i int) verdict { return run[len(run)-1-i] })
	keep(run[len(run)-n:])
}

// settled returns the number of elements before three that are left in a row, or before one that is
// left behind the eighth.
func settled(run []verdict, at func(int) verdict) int {
	inRow := 0
	for i := range run {
		isLeft := at(i) == left
		if isLeft && i >= 8 {
			return i
		}
		if !isLeft {
			inRow = 0
			continue
		}
		inRow++
		if inRow == 3 {
			return i
		}
	}
	return len(run)
}

// A matcher finds a longest common subsequence.
type matcher struct {
	account            *command.Account
	a, b               []int32
	indexA, indexB     []int // of the elements in the whole sequences
	changedA, changedB []bool
	// How far paths have come on each diagonal x-y, from zero on.
	forward, backward []int
	zero              int
}

func (m *matcher) compare(x0, x1, y0, y1 int) {
	for x0 < x1 && y0 < y1 && m.a[x0] == m.b[y0] {
		x0++
		y0++
	}
	for x0 < x1 && y0 < y1 && m.a[x1-1] == m.b[y1-1] {
		x1--
		y1--
	}
	switch {
	case x0 == x1:
		for _, i := range m.indexB[y0:y1] {
			m.changedB[i] = true
		}
	case y0 == y1:
		for _, i := range m.indexA[x0:x1] {
			m.changedA[i] = true
		}
	default:
		x, y := m.middle(x0, x1, y0, y1)
		m.compare(x0, x, y0, y)
		m.compare(x, x1, y, y1)
	}
}

// A reach is the range of diagonals that paths have come to.
type reach struct{ low, high int }

// grow widens a reach by one diagonal at each end, as far as there are any. The new neighbors get
// the value outside.
func (r *reach) grow(low, high, zero, outside int, paths []int) {
	if r.low > low {
		r.low--
		paths[zero+r.low-1] = outside
	} else {
		r.low++
	}
	if r.high < high {
		r.high++
		paths[zero+r.high+1] = outside
	} else {
		r.high--
	}
}

// middle returns a point in the middle of a shortest path.
func (m *matcher) middle(x0, x1, y0, y1 int) (x, y int) {
	low, high := x0-y1, x1-y0
	start, end := x0-y0, x1-y1
	isOdd := (start-end)&1 != 0
	f, b := reach{start, start}, reach{end, end}
	m.forward[m.zero+start], m.backward[m.zero+end] = x0, x1
	for {
		f.grow(low, high, m.zero, -1, m.forward)
		for k := f.high; k >= f.low; k -= 2 {
			m.account.Tick()
			x := max(m.forward[m.zero+k-1]+1, m.forward[m.zero+k+1])
			for x < x1 && x-k < y1 && m.a[x] == m.b[x-k] {
				x++
			}
			m.forward[m.zero+k] = x
			if isOdd && b.low <= k && k <= b.high && m.backward[m.zero+k] <= x {
				return x, x - k
			}
		}
		b.grow(low, high, m.zero, math.MaxInt, m.backward)
		for k := b.high; k >= b.low; k -= 2 {
			m.account.Tick()
			x := min(m.backward[m.zero+k-1], m.backward[m.zero+k+1]-1)
			for x > x0 && x-k > y0 && m.a[x-1] == m.b[x-k-1] {
				x--
			}
			m.backward[m.zero+k] = x
			if !isOdd && f.low <= k && k <= f.high && x <= m.forward[m.zero+k] {
				return x, x - k
			}
		}
	}
}

// shift moves runs of changed elements down where that means the same, so that runs join, and ends
// them where the other sequence has changes. other is the changes of the other sequence.
func shift(account *command.Account, ids []int32, changed, other []bool) {
	i, j, end := 0, 0, len(ids)
	for {
		for i < end && !changed[i] {
			for other[j] {
				j++
			}
			i++
			j++
		}
		if i == end {
			return
		}
		start := i
		for changed[i] {
			i++
		}
		for other[j] {
			j++
		}
		corresponding := end
		for {
			account.Tick()
			length := i - start
			for start > 0 && ids[start-1] == ids[i-1] {
				start--
				i--
				changed[start], changed[i] = true, false
				for start > 0 && changed[start-1] {
					start--
				}
				j--
				for other[j] {
					j--
				}
			}
			corresponding = end
			if j > 0 && other[j-1] {
				corresponding = i
			}
			for i < end && ids[start] == ids[i] {
				changed[start], changed[i] = false, true
				start++
				i++
				for changed[i] {
					i++
				}
				j++
				for other[j] {
					corresponding = i
					j++
				}
			}
			if length == i-start {
				break
			}
		}
		for corresponding < i {
			start--
			i--
			changed[start], changed[i] = true, false
			j--
			for other[j] {
				j--
			}
		}
	}
}
