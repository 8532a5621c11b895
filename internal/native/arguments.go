package native

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/jsonobject"
	"gander/internal/tools/arguments"
	"gander/internal/tools/similar"
	"gander/internal/tools/toolerror"
)

// callArguments holds the arguments of a call. A tool reads each with [callArguments.get] or
// [callArguments.alias], and then calls [callArguments.err].
type callArguments struct {
	*arguments.Arguments
	tool     string
	path     string   // the argument for paths
	names    []string // of the arguments that the tool has
	accepted []string // names, and others that are understood
}

func decodeArguments(tool string, raw json.RawMessage) *callArguments {
	return &callArguments{tool: tool, Arguments: arguments.Decode(raw, arguments.Messages{
		JSON:    "the arguments are not one JSON object: {error}",
		Missing: "{key} is required",
		Twice:   "{key} and {other} are the same argument with different values; give one",
		String:  "{key} must be a string, not {value}",
		Boolean: "{key} must be true or false, not {value}",
		Integer: "{key} must be an integer, not {value}",
		Range:   "{key} must be at least {min}, not {value}",
		Choice:  "{key} must be {choices}, not {value}",
		Element: "%s[%d]",
		Quote:   `"`,
		Lenient: true,
	})}
}

func (a *callArguments) getPath() bool {
	path := a.get("path file_path filePath target_file dir_path directory target_directory " +
		"absolute_path filename file dir relative_workspace_path paths file_paths target_directories")
	a.path = linesOf(path)
	return path.Given()
}

func (a *callArguments) getIgnored() bool {
	ignored := a.get("ignored include_ignored no_ignore includeIgnoredFiles").Bool(false)
	return !a.alias("respect_git_ignore respect_gitignore").Bool(true) || ignored
}

// linesOf returns an argument that takes several values, one per line. A list is accepted, too.
func linesOf(v arguments.Argument) string {
	if v.Value().Type() == jsonobject.TypeArray {
		return strings.Join(v.Strings(), "\n")
	}
	return v.String("")
}

// getPage returns the first result to show, and the maximum number, or 0 if none is given.
func (a *callArguments) getPage() (offset, limit int) {
	offset = max(a.get("offset").Int(1, 0, math.MaxInt), 1)
	most := a.get("limit max_results maxResults head_limit max_matches head")
	return offset, most.Int(0, 0, math.MaxInt)
}

// get returns the argument with one of several names, separated by spaces: the name in the schema,
// followed by those that other tools use.
func (a *callArguments) get(names string) arguments.Argument {
	name, _, _ := strings.Cut(names, " ")
	a.names = append(a.names, name)
	return a.alias(names)
}

// alias returns an argument outside the schema.
func (a *callArguments) alias(names string) arguments.Argument {
	all := strings.Fields(names)
	a.accepted = append(a.accepted, all...)
	return a.OneOf(all...)
}

// err returns the first error, including one about an argument that the tool has not read.
func (a *callArguments) err() error {
	if a.Err() != nil {
		return a.Err()
	}
	for _, key := range a.Keys() {
		if slices.Contains(a.accepted, key) {
			continue
		}
		if err := a.foreignError(key); err != nil {
			return err
		}
	}
	return nil
}

// unknownError returns the error about an argument that nobody has.
func (a *callArguments) unknownError(key string) error {
	message := "there is no argument " + strconv.Quote(text.Excerpt(key))
	near := similar.Words(context.Background(), key, slices.Values(a.names), 1)
	if len(near) > 0 {
		message += didYouMean(near)
	}
	return toolerror.BadArguments("%s; the arguments are %s", message, strings.Join(a.names, ", "))
}

// wrongArgument returns a tool error for err, a problem with an argument. It returns nil if err is
// nil, and the error of ctx if the call has ended.
func wrongArgument(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return toolerror.BadArguments("%v", err)
}

// splitLines returns the values of an argument that takes several, one per line.
func splitLines(name, value string) ([]string, error) {
	const limit = 50
	var values []string
	for line := range strings.Lines(value) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if len(values) == limit {
			return nil, toolerror.BadArguments("%s must have at most %d lines", name, limit)
		}
		values = append(values, line)
	}
	return values, nil
}

// stringArgument returns an argument as results spell it.
func stringArgument(name, value string) string { return name + `="` + value + `"` }

func intArgument(name string, value int) string { return name + "=" + strconv.Itoa(value) }

// continueAt returns how to continue the section about a location: with the offset, and with the
// path if the call has several.
func (c *call) continueAt(at workspace.Location, offset int) string {
	next := intArgument("offset", offset)
	if c.paths > 1 {
		next = stringArgument("path", c.show(at)) + " " + next
	}
	return "continue with " + next
}

const includeIgnored = "include them with ignored=true"
