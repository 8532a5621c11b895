package ooxml

import (
	"path"
	"strings"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// Relations are the parts and the links to which a part refers.
type Relations struct {
	all  []relation
	byID map[string]int // indexes in all
	// The links from some on are left out, because there are too many.
	leftOut bool
}

// A relation is a reference to a part, or to a target outside of the package.
type relation struct{ kind, target string }

const (
	link         = "hyperlink"
	maxRelations = 1 << 20 // bytes
)

// Relations returns the relations of a part, or of the package for the part "".
func (p *Package) Relations(part string) *Relations {
	r := &Relations{byID: map[string]int{}}
	size := 0
	dir, base := path.Split(part)
	p.ScanStarts(dir+"_rels/"+base+".rels", func(s *markup.Scanner) {
		kind := path.Base(s.Attr("Type"))
		if s.Name != "Relationship" || kind == "image" { // images are known by what describes them
			return
		}
		kind, target, id := strings.Clone(kind), s.Attr("Target"), s.Attr("Id")
		isExternal := s.Attr("TargetMode") == "External"
		switch {
		case isExternal && kind != link:
			return
		case !isExternal:
			target = resolved(dir, target)
		}
		const overhead = 128 // the size of a relation without its texts
		size += overhead + len(kind) + len(target) + len(id)
		switch {
		case size <= maxRelations:
		case kind == link:
			r.leftOut = true
			return
		default:
			p.Out.Fail(documents.TooLargef("more than %d MiB of relations", maxRelations>>20))
			return
		}
		r.byID[id] = len(r.all)
		r.all = append(r.all, relation{kind, target})
	})
	return r
}

// resolved returns the name of a part to which one in a folder refers.
func resolved(dir, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = "/" + dir + target
	}
	return path.Clean(target)[1:]
}

// Target returns the part with an identifier, or "".
func (r *Relations) Target(id string) string {
	if i, ok := r.byID[id]; ok {
		return r.all[i].target
	}
	return ""
}

// Link returns the target of the link with an identifier, or "" for none and for a place in the
// document.
func (r *Relations) Link(id string) string {
	target := r.Target(id)
	if target == "" && r.leftOut && id != "" {
		return "target left out: there are too many links"
	}
	return target
}

// First returns the first part of a type, such as "styles", or "".
func (r *Relations) First(kind string) string { return append(r.All(kind), "")[0] }

// All returns all parts of a type.
func (r *Relations) All(kind string) []string {
	var parts []string
	for _, relation := range r.all {
		if relation.kind == kind {
			parts = append(parts, relation.target)
		}
	}
	return parts
}

// Missing reports whether the package does not have a part to which another refers.
func (p *Package) Missing(part string) bool { return part != "" && !p.Has(part) }
