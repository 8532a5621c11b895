// Package layout lets a frontend control the layout of a tool's text result and distinguish
// entries from other text. It does not depend on tools or frontends.
package layout

import "context"

// A Layout controls the layout of one result. The zero value is the layout for models.
type Layout struct {
	// Whole disables the shortening of long lines.
	Whole bool
	// Hint, if not nil, formats a call that the result suggests. An empty tool means the current
	// call with other arguments. The default format is read_file path="a.go" offset=3.
	Hint func(tool string, arguments []Argument) string
	// Sections are the parts of the text. A successful call sets them if its tool has sections.
	Sections []Section
}

// An Argument is an argument of a suggested call.
type Argument struct {
	Name     string
	Value    string // a string, or the JSON of any other value
	IsString bool
}

// A Section is the part of a result about one path. No field ends in a line feed.
type Section struct {
	Heading string // the first line, which describes the range shown
	Error   string // of a failed path, which has no heading and no body
	Body    string // the entries: lines of a file, paths or matches
	Markers string // the lines after the entries, about omitted entries and how to get them
}

type key struct{}

// With returns a context for a call that uses l.
func With(ctx context.Context, l *Layout) context.Context {
	return context.WithValue(ctx, key{}, l)
}

// From returns the layout of a call. It never returns nil.
func From(ctx context.Context) *Layout {
	if l, ok := ctx.Value(key{}).(*Layout); ok {
		return l
	}
	return new(Layout)
}
