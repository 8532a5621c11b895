package native

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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

// getPath reads the argument for paths and reports whether it is present.
func (a *arguments) getPath() bool {
	path := a.get("path file_path filePath target_file dir_path directory target_directory " +
		"absolute_path filename file dir")
	a.path = path.String("")
	return path.Given()
}

// getIgnored returns whether to include ignored files.
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

// alias returns an argument that is accepted but not in the schema.
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
