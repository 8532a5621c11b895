package cli

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// A toolCommand describes a tool as a command.
type toolCommand struct {
	Tool       string // the ID
	SuggestFor string // names of other programs and tools with the same purpose
	Flags      []commandFlag
	Advice     map[string]string // what to use instead of a flag of another program
}

//go:embed flags.json
var toolFlags []byte

func toolCommands() map[string]toolCommand {
	var all map[string]toolCommand
	_ = json.Unmarshal(toolFlags, &all) // It is valid.
	return all
}

// A commandFlag sets an argument of the call.
type commandFlag struct {
	// Names are the names of the flag, and its letters. Only the first name and a letter after it
	// are in the help.
	Names string
	// Argument is the argument of the tool, or a name that begins with "-", which the command
	// replaces.
	Argument string
	// Kind is "integer", "list" if every use adds an element, or "unused" if any value has no
	// effect. If it is empty, the flag without a value sets Set, if any.
	Kind  string
	Min   *int64   // of an integer
	Words []string // the permitted values, if any; the beginning of a value is enough
	Set   any
	Usage string
}

// add adds the flag to flags. It sets an argument in args.
func (f commandFlag) add(flags *pflag.FlagSet, args map[string]any) {
	set := func(value string) error { return f.set(args, value) }
	names := strings.Fields(f.Names)
	for i := 0; i < len(names); i++ {
		name, letter := names[i], ""
		if len(name) == 1 {
			name, letter = "short-"+name, name
		} else if i+1 < len(names) && len(names[i+1]) == 1 {
			i++
			letter = names[i]
		}
		if f.Kind != "" || f.Words != nil {
			flags.FuncP(name, letter, f.Usage, set)
		} else {
			flags.BoolFuncP(name, letter, f.Usage, set)
		}
		flags.Lookup(name).Hidden = f.Usage == "" || name != names[0]
	}
}

// set sets the argument of a flag with a value from the command line.
func (f commandFlag) set(args map[string]any, value string) error {
	switch {
	case f.Kind == "integer":
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case f.Min != nil && (err != nil || n < *f.Min):
			return fmt.Errorf("must be an integer, at least %d", *f.Min)
		case err != nil:
			return errors.New("must be an integer")
		}
		args[f.Argument] = n
	case f.Kind == "list":
		list, _ := args[f.Argument].([]string)
		args[f.Argument] = append(list, value)
	case f.Words != nil:
		isMeant := func(word string) bool { return value != "" && strings.HasPrefix(word, value) }
		i := slices.IndexFunc(f.Words, isMeant)
		if i < 0 {
			return errors.New("must be one of " + strings.Join(f.Words, ", "))
		}
		args[f.Argument] = f.Words[i]
	case f.Kind == "":
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		if on && f.Set != nil {
			args[f.Argument] = f.Set
		}
	}
	return nil
}

// types has one glob per line, after the names of the file types that it matches.
//
//go:embed types.txt
var types string

// fileTypes returns the globs of common file types by name.
func fileTypes() map[string]string {
	globs := make(map[string]string)
	for line := range strings.Lines(types) {
		words := strings.Fields(line)
		for _, name := range words[:len(words)-1] {
			globs[name] = words[len(words)-1]
		}
	}
	return globs
}
