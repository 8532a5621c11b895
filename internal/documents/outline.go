package documents

import (
	"slices"
	"sort"
	"sync"
)

const (
	// maxCached is the maximum size of a text that an [Outline] keeps.
	maxCached = 1 << 20
	// maxPlaces and maxNames limit the marks of an Outline, and the bytes of their names.
	maxPlaces, maxNames = 16 << 10, 256 << 10

	emptyBytes = 256 // the size of an Outline without texts and places
	placeBytes = 64  // the size of a Place without its name
	// maxOutlineBytes is the maximum size of an [Outline] in memory, whose places have room for a
	// quarter more.
	maxOutlineBytes = emptyBytes + maxCached + maxPlaces*5/4*placeBytes + maxNames
)

// A Place is where a mark is in the text of a document, or another line if its mark is zero.
type Place struct {
	Mark
	Line int // number of the line, from 1

	offset   int64 // where the line begins
	inflated int64 // bytes that were inflated before it
}

// An Outline records where the marks of a document are, as far as it has been read and there is
// room, and all of a short text. It belongs to one content of one file, and to the same limits of
// bytes, because they decide where the text ends. An Outline is safe for concurrent use. The zero
// Outline is empty.
type Outline struct {
	mu     sync.Mutex
	places []Place
	names  int    // bytes of the names of places
	lines  int    // number of the lines whose marks are recorded
	size   int64  // size of these lines in bytes
	whole  bool   // they are all lines
	text   []byte // all of the text, or nil
}

// At returns the place of the mark before or at a line that was read, or false if it is not known.
func (o *Outline) At(line int) (Place, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.lastUntil(func(p Place) bool { return p.Line > line })
	if p.Kind == 0 || line > o.lines {
		return Place{}, false
	}
	return p, true
}

// lastUntil returns the place of the last mark before those that are after some place, or zero if
// there is none. The caller has locked o.
func (o *Outline) lastUntil(isAfter func(Place) bool) Place {
	n := sort.Search(len(o.places), func(i int) bool { return isAfter(o.places[i]) })
	if n == 0 {
		return Place{}
	}
	return o.places[n-1]
}

// Size returns the maximum size of o in memory, in bytes, or 0 if nothing is recorded.
func (o *Outline) Size() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.lines == 0:
		return 0
	case !o.whole:
		return maxOutlineBytes
	}
	return emptyBytes + len(o.text) + placeBytes*cap(o.places) + o.names
}

// Whole reports whether the whole document has been read.
func (o *Outline) Whole() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.whole
}

// Places returns the places of the recorded marks in order. The caller does not change them.
func (o *Outline) Places() []Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clip(o.places)
}

// Near returns a line at or before line from which a reader can start, and its offset. It is the
// last recorded mark, or else the first line.
func (o *Outline) Near(line int) (start int, offset int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.lastUntil(func(p Place) bool { return p.Line > line })
	return max(p.Line, 1), p.offset
}

// find returns the first recorded place whose mark is wanted, or the offset from which on others
// can be.
func (o *Outline) find(wanted func(Mark) bool) (p Place, found bool, next int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.places, func(p Place) bool { return wanted(p.Mark) })
	if i < 0 {
		return Place{}, false, o.size
	}
	return o.places[i], true, 0
}

// before returns the place of the last mark up to an offset, or zero if there is none.
func (o *Outline) before(offset int64) Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lastUntil(func(p Place) bool { return p.offset > offset })
}

// record records a line that ends at an offset, if the lines before it are recorded, and it is not.
func (o *Outline) record(p Place, end int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if p.offset != o.size {
		return
	}
	if p.counted() {
		if len(o.places) == maxPlaces || o.names+len(p.Name) > maxNames {
			return
		}
		o.names += len(p.Name)
		o.places = append(o.places, p)
	}
	o.lines, o.size = p.Line, end
}

// recordEnd records that the text ends at an offset. text is all of it, or nil.
func (o *Outline) recordEnd(offset int64, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.whole || o.size != offset {
		return
	}
	o.whole = true
	o.text = slices.Clone(text)
}

// all returns all of the text, or nil.
func (o *Outline) all() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text
}
