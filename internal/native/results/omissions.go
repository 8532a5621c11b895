package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

// Omissions is what results leave out, and why.
type Omissions struct {
	Totals     search.Totals
	Unreadable int      // number of files and directories
	reasons    []string // the first of them, with the reasons
	partly     int      // number of documents of which only the beginning was searched
	beginnings []string // the first of them
}

// AddUnreadable counts a file or a directory that could not be read.
func (o *Omissions) AddUnreadable(shown string, err error) {
	o.Unreadable++
	if o.Unreadable <= maxNamed {
		o.reasons = append(o.reasons, lookup.Excerpt(shown)+" ("+toolerror.Text(err)+")")
	}
}

// AddPartlySearched counts a document of which only the beginning was searched.
func (o *Omissions) AddPartlySearched(shown string) {
	o.partly++
	if o.partly <= maxNamed {
		o.beginnings = append(o.beginnings, lookup.Excerpt(shown))
	}
}

// Clauses returns the clauses about what results leave out. soFar follows counts that are not
// complete, and option is the argument that includes documents.
func (o *Omissions) Clauses(soFar, option string) (notes []string) {
	if binary := o.Totals.Binary; binary > 0 {
		notes = append(notes, wording.Grouped(binary)+" binary skipped"+soFar)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Totals.Decoded)) {
		notes = append(notes, wording.Grouped(o.Totals.Decoded[name])+" decoded as "+name+soFar)
	}
	notes = append(notes, o.documentClauses(soFar, option)...)
	var denied []string
	for _, p := range slices.Sorted(maps.Keys(o.Totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", wording.Grouped(o.Totals.Denied[p]),
			text.Excerpt(p))
		denied = append(denied, clause)
	}
	notes = append(notes, firstOf(denied, len(denied), "deny patterns apply")...)
	if n := o.Totals.UnusedCount; n > 0 {
		notes = append(notes, UnusedRules(o.Totals.Unused, n))
	}
	if o.Unreadable > 0 {
		paths := firstOf(o.reasons, o.Unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	return notes
}

// UnusedRules returns the clause about n ignore files and lines in them that are too long to apply,
// of which the first are named.
func UnusedRules(named []string, n int) string {
	shown := make([]string, len(named))
	for i, name := range named {
		shown[i] = lookup.Excerpt(text.EscapePath(name))
	}
	return "too long for ignore rules, so not applied: " +
		strings.Join(firstOf(shown, n, "files"), ", ")
}

// documentClauses returns the clauses about documents.
func (o *Omissions) documentClauses(soFar, option string) (notes []string) {
	if n := o.Totals.Documents; n > 0 {
		them := "them"
		if n == 1 {
			them = "it"
		}
		notes = append(notes, fmt.Sprintf("%s not searched%s: %s searches %s",
			wording.Counted(n, "document"), soFar, option, them))
	}
	if n := o.Totals.Late; n > 0 {
		notes = append(notes, wording.Counted(n, "document")+
			" not searched, because time was short: give a narrower path or glob")
	}
	if o.partly > 0 {
		paths := firstOf(o.beginnings, o.partly, "documents")
		notes = append(notes, "only the beginning searched, because time was short: "+
			strings.Join(paths, ", "))
	}
	return notes
}

// IsPartial reports whether files or documents could not be read, or not to their end.
func (o *Omissions) IsPartial() bool { return o.Unreadable+o.Totals.Late+o.partly > 0 }

const maxNamed = 3 // deny patterns, files or directories in a clause

// firstOf returns the first maxNamed of n things, and a clause with the number of the others.
func firstOf(things []string, n int, noun string) []string {
	if others := n - maxNamed; others > 0 {
		return append(things[:maxNamed:maxNamed],
			fmt.Sprintf("%s more %s", wording.Grouped(others), noun))
	}
	return things
}

// SplitGlobs splits a list of globs at separators, unless they can be part of a glob.
func SplitGlobs(list, separators string) []string {
	if strings.ContainsAny(list, `{[\`) {
		return []string{list}
	}
	return strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(separators, c) })
}
