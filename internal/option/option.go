// Package option has the error about an option of package gander.
package option

// An Error is an error about an option.
type Error struct {
	Option string // the field of gander.Options, such as "ToolkitTree.MaxDepth"
	Value  string // the wrong element of a list, or "" for the whole option
	Limit  string // the field that determines the range, if any
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }
