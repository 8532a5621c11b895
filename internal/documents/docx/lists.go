package docx

import (
	"cmp"
	"regexp"
	"strconv"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// maxListDepth is the maximum depth of an item of a list.
const maxListDepth = 8

// A list is a list to which paragraphs belong as items.
type list struct {
	levels  *[maxListDepth + 1]level // by the depth of the items
	counts  [maxListDepth + 1]int    // the items by depth, since the last one that is less deep
	counted *list                    // has the counts: an abstract list, or this one
	style   string                   // a style whose abstract list replaces this one, or ""
}

// A level says how the items of a list at some depth are numbered.
type level struct {
	text     string // of the label, in which "%1" is the number of the outermost level
	style    string // of paragraphs, whose items have this level
	format   string // of the numbers, as for documents.Number, or "" for bullets
	first    int
	restarts int  // the number of levels whose items restart this one
	isLegal  bool // all numbers are in digits
}

// formats are the formats of numbers by their names. Others are digits.
var formats = map[string]string{
	"bullet": "", "none": "", "lowerRoman": "i", "upperRoman": "I", "lowerLetter": "a",
	"upperLetter": "A", "decimalZero": "01", "ordinal": "1st",
}

// An item is the place of a paragraph in a list.
type item struct {
	list  *list // nil if the document does not define it
	depth int   // from 0
}

func (i item) isNumbered() bool { return i.list != nil && i.list.levels[i.depth].format != "" }

// count counts the item, and returns its bullet or its label.
func (i item) count() string {
	if i.list == nil {
		return documents.Bullet
	}
	counts := &i.list.counted.counts
	for deeper := i.depth + 1; deeper <= maxListDepth; deeper++ {
		if i.depth < i.list.levels[deeper].restarts {
			counts[deeper] = 0
		}
	}
	counts[i.depth]++
	if !i.isNumbered() {
		return documents.Bullet
	}
	return documents.Name(i.label())
}

// numberInLabel matches the place of a number in the text of a label.
var numberInLabel = regexp.MustCompile(`%[1-9]`)

// label returns the label of a numbered item.
func (i item) label() string {
	own := i.list.levels[i.depth]
	text := cmp.Or(own.text, "%"+strconv.Itoa(i.depth+1)+".")
	return numberInLabel.ReplaceAllStringFunc(text, func(place string) string {
		depth := int(place[1] - '1')
		of := i.list.levels[depth]
		if own.isLegal {
			of.format = "1"
		}
		return documents.Number(of.format, of.first+max(i.list.counted.counts[depth], 1)-1)
	})
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
func readLists(p *ooxml.Package, part string) map[string]*list {
	r := &listReader{
		p: p, abstract: map[string]*list{}, lists: map[string]*list{}, styled: map[string]*list{},
		current: newList(),
	}
	p.ScanStarts(part, r.start)
	return r.lists
}

func (r *listReader) start(e *markup.Scanner) {
	value := e.Attr("val")
	l := &r.current.levels[r.depth]
	switch e.Name {
	case "abstractNum":
		r.add(r.abstract, e.Attr("abstractNumId"))
	case "num": // nearly all have the levels of an abstract one
		r.add(r.lists, e.Attr("numId"))
	case "styleLink":
		r.styled[value] = r.current
		r.p.Keep(len(value))
	case "numStyleLink":
		r.current.style = value
		r.p.KeepText(value)
	case "abstractNumId":
		if abstract := r.abstract[value]; abstract != nil {
			*r.current = *cmp.Or(r.styled[abstract.style], abstract)
		}
	case "lvlOverride":
		r.depth = e.Number("ilvl", maxListDepth)
		if r.current.counted != r.current { // from here on, the list is one of its own
			levels := *r.current.levels
			r.current.levels, r.current.counted = &levels, r.current
			r.p.Keep(levelBytes)
		}
	case "lvl":
		r.depth = e.Number("ilvl", maxListDepth)
	case "start", "startOverride":
		l.first = e.Number("val", 1<<30)
	case "lvlRestart":
		l.restarts = e.Number("val", maxListDepth)
	case "numFmt":
		format, ok := formats[value]
		if !ok {
			format = "1"
		}
		l.format = format
	case "lvlText":
		l.text = value
		r.p.KeepText(value)
	case "pStyle":
		l.style = value
		r.p.KeepText(value)
	case "isLgl":
		l.isLegal = value != "0"
	}
}

// levelBytes is the size of the levels of a list.
const levelBytes = 72 * (maxListDepth + 1)

func newList() *list {
	l := &list{levels: new([maxListDepth + 1]level)}
	l.counted = l
	for depth := range l.levels {
		l.levels[depth].restarts = depth
	}
	return l
}

// add adds a list, which is the current one then.
func (r *listReader) add(lists map[string]*list, id string) {
	r.current = newList()
	lists[id] = r.current
	r.p.Keep(len(id) + levelBytes)
}
