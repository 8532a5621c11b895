package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

// omissions is what results leave out, and why.
type omissions struct {
	totals     search.Totals
	unreadable int      // number of files and directories
	reasons    []string // the first of them, with the reasons
	partly     int      // number of documents of which only the beginning was searched
	beginnings []string // the first of them
}

// addUnreadable counts a file or a directory that could not be read.
func (o *omissions) addUnreadable(shown string, err error) {
	o.unreadable++
	if o.unreadable <= maxNamed {
		o.reasons = append(o.reasons, pathExcerpt(shown)+" ("+toolerror.Text(err)+")")
	}
}

// addPartlySearched counts a document of which only the beginning was searched.
func (o *omissions) addPartlySearched(shown string) {
	o.partly++
	if o.partly <= maxNamed {
		o.beginnings = append(o.beginnings, pathExcerpt(shown))
	}
}

// clauses returns the clauses about what results leave out. soFar follows counts that are not complete,
// and option is the argument that includes documents.
func (o *omissions) clauses(soFar, option string) (notes []string) {
	if binary := o.totals.Binary; binary > 0 {
		notes = append(notes, grouped(binary)+" binary skipped"+soFar)
	}
	notes = append(notes, o.documentClauses(soFar, option)...)
	var denied []string
	for _, p := range slices.Sorted(maps.Keys(o.totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", grouped(o.totals.Denied[p]), text.Excerpt(p))
		denied = append(denied, clause)
	}
	notes = append(notes, firstOf(denied, len(denied), "deny patterns apply")...)
	if o.unreadable > 0 {
		paths := firstOf(o.reasons, o.unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	return notes
}

// documentClauses returns the clauses about documents.
func (o *omissions) documentClauses(soFar, option string) (notes []string) {
	if n := o.totals.Documents; n > 0 {
		them := "them"
		if n == 1 {
			them = "it"
		}
		notes = append(notes, fmt.Sprintf("%s not searched%s: %s searches %s",
			counted(n, "document"), soFar, option, them))
	}
	if n := o.totals.Late; n > 0 {
		notes = append(notes, counted(n, "document")+
			" not searched, because time was short: give a narrower path or glob")
	}
	if o.partly > 0 {
		paths := firstOf(o.beginnings, o.partly, "documents")
		notes = append(notes, "only the beginning searched, because time was short: "+
			strings.Join(paths, ", "))
	}
	return notes
}

// isPartial reports whether files or documents could not be read, or not to their end.
func (o *omissions) isPartial() bool { return o.unreadable+o.totals.Late+o.partly > 0 }

const maxNamed = 3 // deny patterns, files or directories in a clause

// firstOf returns the first maxNamed of n things, and a clause with the number of the others.
func firstOf(things []string, n int, noun string) []string {
	if others := n - maxNamed; others > 0 {
		return append(things[:maxNamed:maxNamed], fmt.Sprintf("%s more %s", grouped(others), noun))
	}
	return things
}
