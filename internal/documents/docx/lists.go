package docx

import (
	"cmp"
	"strconv"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
)

// maxListDepth is the maximum depth of an item of a list.
const maxListDepth = 8

// A list is a list to which paragraphs belong as items.
type list struct {
	levels  [maxListDepth + 1]numbering // by the depth of the items
	counts  [maxListDepth + 1]int32     // the items so far, by depth, since the last one that is less deep
	counted *list                       // has the counts: an abstract list, or this one
	style   string                      // a style whose abstract list replaces this one, or ""
}

// A numbering says how the items of a list at some depth are numbered.
type numbering struct {
	numbered bool
	first    int32
}

// An item is the place of a paragraph in a list.
type item struct {
	list  *list // nil if the document does not define it
	depth int   // from 0
}

func (i item) numbering() numbering {
	if i.list == nil {
		return numbering{}
	}
	return i.list.levels[i.depth]
}

// count counts the item, and returns its bullet or number.
func (i item) count() string {
	if i.list == nil {
		return documents.Bullet
	}
	counts := &i.list.counted.counts
	clear(counts[i.depth+1:])
	n := i.numbering()
	if !n.numbered {
		return documents.Bullet
	}
	counts[i.depth]++
	return strconv.Itoa(int(n.first+counts[i.depth]-1)) + "."
}

// A listReader reads lists by their identifiers. A list is numbered as an abstract one, which precedes it,
// and counted together with the other lists of that, unless it overrides a level.
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
		current:  new(list),
	}
	err := p.ScanStarts(part, r.start)
	return r.lists, err
}

func (r *listReader) start(e *markup.Scanner) error {
	switch e.Name {
	case "abstractNum":
		return r.add(r.abstract, e.Attr("abstractNumId"))
	case "num":
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
		r.current.counted = r.current
	case "lvl":
		r.depth = e.Number("ilvl", maxListDepth)
	case "start", "startOverride":
		r.current.levels[r.depth].first = int32(e.Number("val", 1<<30))
	case "numFmt":
		format := e.Attr("val")
		r.current.levels[r.depth].numbered = format != "bullet" && format != "none"
	}
	return nil
}

// abstractList returns the abstract list with an identifier, or the one of its style. It can be nil.
func (r *listReader) abstractList(id string) *list {
	abstract := r.abstract[id]
	if abstract == nil {
		return nil
	}
	return cmp.Or(r.styled[abstract.style], abstract)
}

// add adds a list, which is the current one then.
func (r *listReader) add(lists map[string]*list, id string) error {
	const size = 24 + 12*(maxListDepth+1)
	r.current = new(list)
	r.current.counted = r.current
	lists[id] = r.current
	return r.p.Keep(len(id) + size)
}
