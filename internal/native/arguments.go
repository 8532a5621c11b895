package native

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// arguments are the arguments of a call. A tool reads each with [arguments.get] or
// [arguments.alias], and then calls [arguments.err].
type arguments struct {
	*shared.Arguments
	path     string   // the argument for paths
	names    []string // of the arguments that the tool has
	accepted []string // names, and others that are understood
}

func decodeArguments(raw json.RawMessage) *arguments {
	return &arguments{Arguments: shared.DecodeArguments(raw, shared.Messages{
		JSON:    "the arguments are not one JSON object: {error}",
		Missing: "{key} is required",
		Twice:   "{key} and {other} are the same argument with different values; give one",
		String:  "{key} must be a string, not {value}",
		Boolean: "{key} must be true or false, not {value}",
		Integer: "{key} must be an integer, not {value}",
		Range:   "{key} must be at least {min}, not {value}",
		Choice:  "{key} must be {choices}, not {value}",
		Quote:   `"`,
		Lenient: true,
	})}
}

func (a *arguments) getPath() bool {
	path := a.get("path file_path filePath target_file dir_path directory target_directory " +
		"absolute_path filename file dir")
	a.path = path.String("")
	return path.Given()
}

func (a *arguments) getIgnored() bool {
	return a.get("ignored include_ignored no_ignore").Bool(false)
}

// get returns the argument with one of several names, separated by spaces: the name in the schema,
// followed by those that other tools use.
func (a *arguments) get(names string) shared.Argument {
	name, _, _ := strings.Cut(names, " ")
	a.names = append(a.names, name)
	return a.alias(names)
}

// alias returns an argument outside the schema.
func (a *arguments) alias(names string) shared.Argument {
	all := strings.Fields(names)
	a.accepted = append(a.accepted, all...)
	return a.OneOf(all...)
}

// err returns the first error, including one about an unknown argument.
func (a *arguments) err() error {
	if a.Err() != nil {
		return a.Err()
	}
	for _, key := range a.Keys() {
		if slices.Contains(a.accepted, key) {
			continue
		}
		message := "there is no argument " + strconv.Quote(shared.Excerpt(key))
		near := shared.Similar(context.Background(), key, slices.Values(a.names), 1)
		if len(near) > 0 {
			message += "; did you mean " + near[0] + "?"
		}
		return shared.BadArguments("%s; the arguments are %s", message, strings.Join(a.names, ", "))
	}
	return nil
}

// wrongArgument returns a tool error for err, a problem with an argument. It returns nil if err is
// nil, and the error of ctx if the call has ended.
func wrongArgument(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return shared.BadArguments("%v", err)
}

// splitLines returns the values of an argument that takes several, one per line.
func splitLines(name, value string) ([]string, error) {
	const limit = 50
	var values []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(values) == limit {
			return nil, shared.BadArguments("%s must have at most %d lines", name, limit)
		}
		values = append(values, line)
	}
	return values, nil
}

// stringArgument returns an argument as results spell it.
func stringArgument(name, value string) string { return name + `="` + value + `"` }

func intArgument(name string, value int) string { return name + "=" + strconv.Itoa(value) }

// next returns how to continue the section about a location: the offset, after the path if the call
// has several.
func (c *call) next(at workspace.Location, offset int) string {
	next := intArgument("offset", offset)
	if c.paths > 1 {
		return stringArgument("path", c.show(at)) + " " + next
	}
	return next
}

const includeIgnored = "include them with ignored=true"
