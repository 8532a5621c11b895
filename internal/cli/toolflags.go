package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/jsonobject"
)

// addArgumentFlags gives cmd a flag for each argument that is not given by position, and the further flags of the command.
func addArgumentFlags(cmd *cobra.Command, c *toolCommand, schema *jsonobject.Object) {
	about := c.spec.Command
	properties := schema.Object("properties")
	add := func(name, letter, usage string, f *argumentFlag, words []string) {
		flag := cmd.Flags().VarPF(f, name, letter, strings.ReplaceAll(usage, "`", "'"))
		if f.kind == "boolean" {
			flag.NoOptDefVal = "true"
		}
		if len(words) > 0 {
			completeFlag(cmd, name, completeWords(words))
		}
	}
	for _, name := range properties.Keys() {
		if slices.Contains(about.Words, name) {
			continue
		}
		property := properties.Object(name)
		f := &argumentFlag{args: c.args, name: name, kind: strings.Join(property.Texts("type"), "|"), words: property.Texts("enum")}
		usage := strings.Join(property.Texts("description"), "")
		add(strings.ReplaceAll(name, "_", "-"), letterFor(about.Flags, name), usage, f, f.words)
	}
	for _, name := range slices.Sorted(maps.Keys(about.Flags)) {
		target := about.Flags[name]
		argument, fixed, isFixed := strings.Cut(target, "=")
		switch {
		case len(name) == 1:
		case isFixed:
			usage := fmt.Sprintf("the same as --%s %s", strings.ReplaceAll(argument, "_", "-"), fixed)
			add(name, letterFor(about.Flags, target), usage, &argumentFlag{args: c.args, name: argument, kind: "boolean", fixed: fixed}, nil)
		default:
			flag := *cmd.Flags().Lookup(strings.ReplaceAll(argument, "_", "-"))
			flag.Name, flag.Shorthand, flag.Hidden = name, "", true
			cmd.Flags().AddFlag(&flag)
		}
	}
}

// letterFor returns the name of one letter for the same as target, or "".
func letterFor(flags map[string]string, target string) string {
	for name, t := range flags {
		if len(name) == 1 && t == target {
			return name
		}
	}
	return ""
}

// An argumentFlag is the value of a flag that sets an argument of a call.
type argumentFlag struct {
	args  map[string]any
	name  string
	kind  string   // the type that the schema states
	words []string // that the value must be one of, if any
	fixed string   // the value that the flag sets, if it takes none
}

func (f *argumentFlag) String() string { return "" } // the default value

// Type returns what the help shows for the value.
func (f *argumentFlag) Type() string {
	switch {
	case f.kind == "boolean":
		return "bool"
	case strings.Contains(f.kind, "integer"):
		return "N"
	case len(f.words) > 0:
		return strings.Join(f.words, "|")
	default:
		return strings.ToUpper(f.name)
	}
}

func (f *argumentFlag) Set(value string) error {
	switch {
	case f.kind == "boolean":
		on, err := strconv.ParseBool(value)
		switch {
		case err != nil:
			return errors.New("give true or false")
		case f.fixed == "":
			f.args[f.name] = on
		case on:
			f.args[f.name] = fixedValue(f.fixed)
		}
	case strings.Contains(f.kind, "integer"):
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return errors.New("give a whole number")
		}
		f.args[f.name] = n
	default:
		f.args[f.name] = value
	}
	return nil
}

func fixedValue(word string) any {
	switch word {
	case "true":
		return true
	case "false":
		return false
	default:
		return word
	}
}
