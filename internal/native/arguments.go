package native

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/jsonobject"
	"gander/internal/tools/arguments"
	"gander/internal/tools/similar"
	"gander/internal/tools/toolerror"
)

// callArguments are the arguments of a call. A parser reads each of them with [callArguments.get] or
// [callArguments.alias], and then calls [callArguments.check].
type callArguments struct {
	*arguments.Arguments
	environment *environment
	tool        string
	paths       []string // given beside the arguments, instead of the one for paths
	names       []string // the names of the arguments that the tool has
	accepted    []string // names, and others that are understood
}

func (t *nativeTool) decodeArguments(raw json.RawMessage) *callArguments {
	return &callArguments{
		Arguments: t.Arguments(raw), environment: t.environment, tool: t.Published.Name,
	}
}

// A pathArgument is the argument for paths.
type pathArgument struct {
	values  []string // at least one; "" is the first root
	isText  bool     // there is one, a text that may be several paths, one per line
	isGiven bool
}

// decodePaths reads the argument for paths, or returns those that were given beside the arguments.
// The elements of a list are the paths as they are.
func (a *callArguments) decodePaths() pathArgument {
	paths := a.get(
		"path", "file_path", "filePath", "target_file", "dir_path", "directory", "target_directory",
		"absolute_path", "filename", "file", "dir", "relative_workspace_path",
		"paths", "file_paths", "target_directories",
	)
	if len(a.paths) > 0 {
		return pathArgument{values: a.paths, isGiven: true}
	}
	if paths.Value().Type() != jsonobject.TypeArray {
		return pathArgument{[]string{paths.String("")}, true, paths.Given()}
	}
	values := paths.Strings()
	if len(values) == 0 {
		return pathArgument{values: []string{""}}
	}
	return pathArgument{values: values, isGiven: true}
}

// namesRoot reports whether the argument names only the first root.
func (p pathArgument) namesRoot() bool {
	return !slices.ContainsFunc(p.values, func(path string) bool { return path != "" })
}

func (a *callArguments) decodeIgnored() bool {
	ignored := a.get("ignored", "include_ignored", "no_ignore", "includeIgnoredFiles")
	return a.flag(ignored, a.alias("respect_git_ignore", "respect_gitignore"))
}

// flag returns the value of a boolean argument that is false by default, and that other tools have
// with the opposite meaning. That both are given and contradict each other is an error.
func (a *callArguments) flag(v, opposite arguments.Argument) bool {
	value := v.Bool(false)
	otherwise := !opposite.Bool(!value)
	if v.Given() && otherwise != value {
		a.Reject(fmt.Sprintf("%s is %t and %s is %[2]t: they contradict each other; give %[1]s alone",
			v.Key(), value, opposite.Key()))
	}
	return otherwise
}

// lines returns the values of an argument that takes several, one per line, or a list of such lines.
func (a *callArguments) lines(name string, v arguments.Argument) (values []string) {
	if v.Value().Type() == jsonobject.TypeArray {
		for _, element := range v.Strings() {
			values = append(values, splitLines(element)...)
		}
	} else {
		values = splitLines(v.String(""))
	}
	if len(values) > maxLines {
		a.Reject(tooManyLines(name))
	}
	return values
}

// A requestedPage is the part of a list of results that the arguments ask for.
type requestedPage struct {
	offset int // the number of the first result, from 1
	limit  int // the maximum number of results, or 0 if none is given
}

// pager returns a pager of the page, which has a limit if none is given.
func (p requestedPage) pager(limit int) pager {
	return pager{offset: p.offset, limit: cmp.Or(p.limit, limit)}
}

// decodePage returns the page. The names are others for the limit.
func (a *callArguments) decodePage(names ...string) requestedPage {
	return requestedPage{
		offset: max(a.get("offset").Int(1, 0, math.MaxInt), 1),
		limit:  a.get("limit", append([]string{"max_results"}, names...)...).Int(0, 0, math.MaxInt),
	}
}

// otherLimits are the names of other tools for the limit of find_files and search_text.
var otherLimits = []string{"maxResults", "head_limit", "max_matches", "head"}

// get returns the argument with the name in the schema, or with one of those that other tools use.
func (a *callArguments) get(name string, others ...string) arguments.Argument {
	a.names = append(a.names, name)
	return a.alias(append([]string{name}, others...)...)
}

// alias returns an argument outside the schema, which has one of several names.
func (a *callArguments) alias(names ...string) arguments.Argument {
	a.accepted = append(a.accepted, names...)
	return a.OneOf(names...)
}

// check returns the first error, including one about an argument that the tool has not read.
func (a *callArguments) check(ctx context.Context) error {
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
func (a *callArguments) unknownError(ctx context.Context, key string) error {
	message := "there is no argument " + strconv.Quote(text.Excerpt(key))
	near := similar.Words(ctx, key, slices.Values(a.names), 1)
	if len(near) > 0 {
		message += didYouMean(near)
	}
	return toolerror.BadArguments("%s; the arguments are %s", message, strings.Join(a.names, ", "))
}

// argumentError returns a tool error for err, a problem with an argument. It returns nil if err is
// nil, and the error of ctx if the call has ended.
func argumentError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return toolerror.BadArguments("%v", err)
}

// maxLines is the maximum number of values of an argument that takes several, one per line.
const maxLines = 50

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
