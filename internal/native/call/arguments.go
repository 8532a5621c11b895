package call

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/charset"
	"gander/internal/files/text"
	"gander/internal/jsonobject"
	"gander/internal/native/foreign"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/arguments"
	"gander/internal/tools/similar"
	"gander/internal/tools/toolerror"
)

// Arguments are the arguments of a call. A parser reads each of them with [Arguments.Get] or
// [Arguments.Alias], and then calls [Arguments.Check].
type Arguments struct {
	*arguments.Arguments
	Environment *Environment
	tool        string
	names       []string // the names of the arguments that the tool has
	accepted    []string // names, and others that are understood
}

// DecodeArguments decodes the arguments of a call. ctx has the style of messages about them.
func (t *Tool) DecodeArguments(ctx context.Context, raw json.RawMessage) *Arguments {
	a := &Arguments{
		Arguments: t.Arguments(raw), Environment: t.Environment, tool: t.Published.Name,
	}
	a.Spell(func(key string) string { return wording.Name(ctx, key) })
	return a
}

// A PathArgument is the argument for paths.
type PathArgument struct {
	Values  []string // at least one; "" alone is all roots
	isText  bool     // there is one, a text that may be several paths, one per line
	IsGiven bool
}

// DecodePaths reads the argument for paths. The elements of a list are the paths as they are.
func (a *Arguments) DecodePaths() PathArgument {
	paths := a.Get(
		"path", "file_path", "filePath", "target_file", "dir_path", "directory", "target_directory",
		"absolute_path", "filename", "file", "dir", "relative_workspace_path",
		"paths", "file_paths", "target_directories",
	)
	if paths.Value().Type() != jsonobject.TypeArray {
		return PathArgument{[]string{paths.String("")}, true, paths.Given()}
	}
	values := paths.Strings()
	if len(values) == 0 {
		return PathArgument{Values: []string{""}}
	}
	return PathArgument{Values: values, IsGiven: true}
}

// IsRoots reports whether the argument names no path, which means all roots.
func (p PathArgument) IsRoots() bool {
	return !slices.ContainsFunc(p.Values, func(path string) bool { return path != "" })
}

func (a *Arguments) DecodeIgnored() bool {
	ignored := a.Get("ignored", "include_ignored", "no_ignore", "includeIgnoredFiles")
	return a.Flag(ignored, a.Alias("respect_git_ignore", "respect_gitignore"))
}

// DecodeEncoding returns the encoding of files that is given, or nil.
func (a *Arguments) DecodeEncoding() *charset.Encoding {
	label := a.Get("encoding", "charset").String("")
	if label == "" {
		return nil
	}
	e, err := charset.Named(label)
	if err != nil {
		a.Reject("encoding: {problem}", "{problem}", err.Error())
		return nil
	}
	return &e
}

// Flag returns the value of a boolean argument that is false by default, and that other tools have
// with the opposite meaning. That both are given and contradict each other is an error.
func (a *Arguments) Flag(v, opposite arguments.Argument) bool {
	value := v.Bool(false)
	otherwise := !opposite.Bool(!value)
	if v.Given() && otherwise != value {
		a.Reject(fmt.Sprintf("%s is %t and %s is %[2]t: they contradict each other; give %[1]s alone",
			v.Key(), value, opposite.Key()))
	}
	return otherwise
}

// Lines returns the values of an argument that takes several, one per line, or a list of such
// lines.
func (a *Arguments) Lines(name string, v arguments.Argument) (values []string) {
	if v.Value().Type() == jsonobject.TypeArray {
		for _, element := range v.Strings() {
			values = append(values, splitLines(element)...)
		}
	} else {
		values = listed(v.String(""))
	}
	if len(values) > maxLines {
		a.Reject(tooManyLines(name))
	}
	return values
}

// A Page is the part of a list of results that the arguments ask for.
type Page struct {
	Offset int // the number of the first result, from 1
	Limit  int // the maximum number of results, or 0 if none is given
}

// Within returns the page of a section with a budget, which has a limit if none is given.
func (p Page) Within(b section.Budget, limit int) *section.Page {
	return &section.Page{Offset: p.Offset, Limit: cmp.Or(p.Limit, limit), Budget: b}
}

// DecodePage returns the page. The names are others for the limit.
func (a *Arguments) DecodePage(names ...string) Page {
	return Page{
		Offset: max(a.Get("offset").Int(1, 0, math.MaxInt), 1),
		Limit:  a.Get("limit", append([]string{"max_results"}, names...)...).Int(0, 0, math.MaxInt),
	}
}

// OtherLimits are the names of other tools for the limit of find_files and search_text.
var OtherLimits = []string{"maxResults", "head_limit", "max_matches", "head"}

// Get returns the argument with the name in the schema, or with one of those that other tools use.
func (a *Arguments) Get(name string, others ...string) arguments.Argument {
	a.names = append(a.names, name)
	return a.Alias(append([]string{name}, others...)...)
}

// Alias returns an argument outside the schema, which has one of several names.
func (a *Arguments) Alias(names ...string) arguments.Argument {
	a.accepted = append(a.accepted, names...)
	return a.OneOf(names...)
}

// Check returns the first error, including one about an argument that the tool has not read.
func (a *Arguments) Check(ctx context.Context) error {
	if a.Err() != nil {
		return a.Err()
	}
	for _, key := range a.Keys() {
		if slices.Contains(a.accepted, key) {
			continue
		}
		if err := a.foreignError(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// unknownError returns the error about an argument that nobody has.
func (a *Arguments) unknownError(ctx context.Context, key string) error {
	message := "there is no argument " + strconv.Quote(text.Excerpt(key))
	near := similar.Words(ctx, key, slices.Values(a.names), 1)
	if len(near) > 0 {
		message += wording.DidYouMean(near)
	}
	return toolerror.BadArguments("%s; the arguments are %s", message, strings.Join(a.names, ", "))
}

// ArgumentError returns a tool error for err, a problem with an argument. It returns nil if err is
// nil, and the error of ctx if the call has ended.
func ArgumentError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return toolerror.BadArguments("%v", err)
}

// maxLines is the maximum number of values of an argument that takes several, one per line.
const maxLines = 50

// listed returns the values of a text that has one per line, or is a JSON array of strings, as some
// clients send a list.
func listed(text string) (values []string) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		if err := json.Unmarshal([]byte(text), &values); err == nil {
			return values
		}
	}
	return splitLines(text)
}

// splitLines returns the lines that are not blank, without the spaces around them.
func splitLines(all string) (lines []string) {
	for line := range strings.Lines(all) {
		line = strings.TrimSpace(line)
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func tooManyLines(name string) string {
	return fmt.Sprintf("%s must have at most %d lines", name, maxLines)
}

// foreignError returns the error about an argument that the tool does not have, or nil if it
// accepts the value.
func (a *Arguments) foreignError(ctx context.Context, key string) error {
	other, ok := foreign.Of(a.tool, key)
	if !ok {
		return a.unknownError(ctx, key)
	}
	value := a.Optional(key).Value()
	if other.Accepts(value) {
		return nil
	}
	return toolerror.BadArguments("%s cannot be %s: %s", key, text.Excerpt(value.Raw()), other.Advice)
}
