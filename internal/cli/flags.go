package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// A commandFlag sets an argument of the call.
type commandFlag struct {
	// names are the names of the flag, and its letters. Only the first name and a letter after it
	// are in the help.
	names, argument string
	// value is the value that the flag sets, or specifies how to parse the value on the command
	// line: a [flagKind], [atLeast] or [oneOf]. If nil, the flag has no effect, because it requests
	// the default.
	value any
	usage string
}

// A flagKind determines how the value of a flag is parsed.
type flagKind int

const (
	unusedFlag flagKind = iota // any value has no effect
	listFlag                   // every use adds an element to a []string
)

// An atLeast is the minimum of a flag with an integer.
type atLeast int64

// A oneOf is the list of permitted values of a flag. The beginning of a value is enough.
type oneOf string

// add adds the flag to flags. It sets an argument in args.
func (f commandFlag) add(flags *pflag.FlagSet, args map[string]any) {
	set := func(value string) error { return f.set(args, value) }
	names := strings.Fields(f.names)
	for i := 0; i < len(names); i++ {
		name, letter := names[i], ""
		if len(name) == 1 {
			name, letter = "short-"+name, name
		} else if i+1 < len(names) && len(names[i+1]) == 1 {
			i++
			letter = names[i]
		}
		switch f.value.(type) {
		case flagKind, atLeast, oneOf:
			flags.FuncP(name, letter, f.usage, set)
		default:
			flags.BoolFuncP(name, letter, f.usage, set)
		}
		flags.Lookup(name).Hidden = f.usage == "" || name != names[0]
	}
}

// set sets the argument of a flag with a value from the command line.
func (f commandFlag) set(args map[string]any, value string) error {
	switch v := f.value.(type) {
	case atLeast:
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case err != nil && v == math.MinInt64:
			return errors.New("must be an integer")
		case err != nil || n < int64(v):
			return fmt.Errorf("must be an integer, at least %d", v)
		}
		args[f.argument] = n
	case oneOf:
		words := strings.Fields(string(v))
		isMeant := func(word string) bool { return value != "" && strings.HasPrefix(word, value) }
		i := slices.IndexFunc(words, isMeant)
		if i < 0 {
			return errors.New("must be one of " + strings.Join(words, ", "))
		}
		args[f.argument] = words[i]
	case flagKind:
		if v == listFlag {
			list, _ := args[f.argument].([]string)
			args[f.argument] = append(list, value)
		}
	default:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		if on && f.value != nil {
			args[f.argument] = f.value
		}
	}
	return nil
}
