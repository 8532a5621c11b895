package docx

import (
	"cmp"
	"strconv"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// maxListDepth is the maximum depth of an item of a list.
const maxListDepth = 8

// A list is a list to which paragraphs belong as items.
type list struct {
	levels  *[maxListDepth + 1]level // by the depth of the items
	counts  [maxListDepth + 1]int32  // the items by depth, since the last one that is less deep
	counted *list                    // has the counts: an abstract list, or this one
	style   string                   // a style whose abstract list replaces this one, or ""
}

// A level says how the items of a list at some depth are numbered.
type level struct {
	text     string // of the label, in which "%1" is the number of the outermost level
	style    string // of paragraphs, whose items have this level
	first    int32
	restarts int8 // the number of levels whose items restart this one
	isLegal  bool // all numbers are in digits
	format   byte // of the numbers, see formats
}

// The formats of numbers by their names. Others are digits.
const (
	bullets = 0
	digits  = '1'
	ordinal = 'o' // 1st
	padded  = '0' // 01
)

var formats = map[string]byte{
	"bullet": bullets, "none": bullets, "lowerRoman": 'i', "upperRoman": 'I', "lowerLetter": 'a',
	"upperLetter": 'A', "decimalZero": padded, "ordinal": ordinal,
}

// number returns a number in the format of the level.
func (l level) number(n int32) string {
	switch l.format {
	case ordinal:
		return documents.Number("", int(n)) + ordinalEnd(n)
	case padded:
		return documents.Number("01", int(n))
	}
	return documents.Number(string(rune(l.format)), int(n))
}

// An item is the place of a paragraph in a list.
type item struct {
	list  *list // nil if the document does not define it
	depth int   // from 0
}

func (i item) level() level {
	if i.list == nil {
		return level{}
	}
	return i.list.levels[i.depth]
}

// count counts the item, and returns its bullet or its label.
func (i item) count() string {
	if i.list == nil {
		return documents.Bullet
	}
	counts := &i.list.counted.counts
	for deeper := i.depth + 1; deeper <= maxListDepth; deeper++ {
		if i.depth < int(i.list.levels[deeper].restarts) {
			counts[deeper] = 0
		}
	}
	counts[i.depth]++
	l := i.level()
	if l.format == bullets {
		return documents.Bullet
	}
	return documents.Name(i.label(l))
}

// label returns the label of a numbered item.
func (i item) label(l level) string {
	var b strings.Builder
	for rest := cmp.Or(l.text, "%"+strconv.Itoa(i.depth+1)+"."); rest != ""; {
		before, after, found := strings.Cut(rest, "%")
		b.WriteString(before)
		isNumber := found && after != "" && '1' <= after[0] && after[0] <= '9'
		if !isNumber {
			b.WriteString(rest[len(before):min(len(before)+1, len(rest))])
			rest = after
			continue
		}
		depth := int(after[0] - '1')
		of := i.list.levels[depth]
		n := of.first + max(i.list.counted.counts[depth], 1) - 1
		if l.isLegal {
			of.format = digits
		}
		b.WriteString(of.number(n))
		rest = after[1:]
	}
	return b.String()
}

func ordinalEnd(n int32) string {
	ends := map[int32]string{1: "st", 2: "nd", 3: "rd"}
	if tens := n / 10 % 10; tens == 1 {
		return "th"
	}
	return cmp.Or(ends[n%10], "th")
}

// A listReader reads lists by their identifiers. A list is numbered as an abstract one, which
// precedes it, and counted together with the other lists of that, unless it overrides a level.
type listReader struct {
	p               *ooxml.Package
	abstract, lists map[string]*list
	styled          map[string]*list // the abstract lists of styles
	current         *list            // whose elements are read
	depth           int              // whose elements are read
}

// readLists returns the lists by their identifiers.
func readLists(p *ooxml.Package, part string) (map[string]*list, error) {
	r := &listReader{
		p:        p,
		abstract: map[string]*list{},
		lists:    map[string]*list{},
		styled:   map[string]*list{},
		current:  newList(),
	}
	err := p.ScanStarts(part, r.start)
	return r.lists, err
}

func (r *listReader) start(e *markup.Scanner) error {
	l := &r.current.levels[r.depth]
	switch e.Name {
	case "abstractNum":
		return r.add(r.abstract, e.Attr("abstractNumId"))
	case "num": // nearly all have the levels of an abstract one
		return r.add(r.lists, e.Attr("numId"))
	case "styleLink":
		style := e.Attr("val")
		r.styled[style] = r.current
		return r.p.Keep(len(style))
	case "numStyleLink":
		r.current.style = e.Attr("val")
		return r.p.Keep(len(r.current.style))
	case "abstractNumId":
		if abstract := r.abstractList(e.Attr("val")); abstract != nil {
			*r.current = *abstract
		}
	case "lvlOverride":
		r.depth = e.Number("ilvl", maxListDepth)
		return r.override()
	case "lvl":
		r.depth = e.Number("ilvl", maxListDepth)
	case "start", "startOverride":
		l.first = int32(e.Number("val", 1<<30))
	case "lvlRestart":
		l.restarts = int8(e.Number("val", maxListDepth))
	case "numFmt":
		format, ok := formats[e.Attr("val")]
		if !ok {
			format = digits
		}
		l.format = format
	case "lvlText":
		l.text = e.Attr("val")
		return r.p.KeepText(l.text)
	case "pStyle":
		l.style = e.Attr("val")
		return r.p.KeepText(l.style)
	case "isLgl":
		l.isLegal = e.Attr("val") != "0"
	}
	return nil
}

// override gives the current list levels and counts of its own.
func (r *listReader) override() error {
	if r.current.counted == r.current {
		return nil
	}
	levels := *r.current.levels
	r.current.levels, r.current.counted = &levels, r.current
	return r.p.Keep(levelBytes)
}

// levelBytes is the size of the levels of a list.
const levelBytes = 40 * (maxListDepth + 1)

func newList() *list {
	l := &list{levels: new([maxListDepth + 1]level)}
	l.counted = l
	for depth := range l.levels {
		l.levels[depth].restarts = int8(depth)
	}
	return l
}

// abstractList returns the abstract list with an identifier, or the one of its style. It can be
// nil.
func (r *listReader) abstractList(id string) *list {
	abstract := r.abstract[id]
	if abstract == nil {
		return nil
	}
	return cmp.Or(r.styled[abstract.style], abstract)
}

// add adds a list, which is the current one then.
func (r *listReader) add(lists map[string]*list, id string) error {
	r.current = newList()
	lists[id] = r.current
	return r.p.Keep(len(id) + levelBytes)
}
