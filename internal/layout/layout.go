// Package layout lets a frontend that calls a tool itself determine how the text of the result is
// laid out, and see which parts of the text are entries. It does not depend on tools or frontends.
package layout

import "context"

// A Layout is the layout of the result of one call. The zero value is the layout for models.
type Layout struct {
	// Whole reports whether long lines of files are shown whole.
	Whole bool
	// Hint, if not nil, returns the spelling of a call that the result suggests. An empty tool means
	// the current call with other arguments. The default spelling is the one for models:
	// read_file path="a.go" offset=3.
	Hint func(tool string, arguments []Argument) string
	// Sections are the parts of the text. The tool sets them if the call succeeds; a tool without
	// sections leaves them nil.
	Sections []Section
}

// An Argument is an argument of a suggested call.
type Argument struct {
	Name string
	// Value is the text of a string, or of the JSON of any other value.
	Value string
	// IsString reports whether the value is a string.
	IsString bool
}

// A Section is the part of a text about one path. No field ends in a line feed.
type Section struct {
	// Heading is the first line: what the section shows of how much. Error is the message about a
	// path that failed, which has neither heading nor body.
	Heading, Error string
	// Body has the entries: lines of files, paths, matches.
	Body string
	// Markers are the lines after the entries: what is missing, and how to continue.
	Markers string
}

type key struct{}

// With returns a context for a call whose result l lays out.
func With(ctx context.Context, l *Layout) context.Context {
	return context.WithValue(ctx, key{}, l)
}

// From returns the layout of a call, which is never nil.
func From(ctx context.Context) *Layout {
	if l, ok := ctx.Value(key{}).(*Layout); ok {
		return l
	}
	return new(Layout)
}
