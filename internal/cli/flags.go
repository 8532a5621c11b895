package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A commandFlag sets an argument of the call.
type commandFlag struct {
	// names are the names of the flag, and its letters. Only the first name and a letter after it
	// are in the help.
	names, argument string
	// value is the value that the flag sets, or a [flagKind]. If nil, the flag does nothing,
	// because what it asks for is the default.
	value any
	usage string
}

// A flagKind is how the value of a flag is read.
type flagKind int

const (
	integerFlag flagKind = iota
	textFlag
	listFlag // every use adds a line
)

// Names of arguments that the tools do not have. The commands replace them.
const (
	patternsArgument   = "-e"
	wordArgument       = "-w"
	typesArgument      = "-t"
	extensionsArgument = "-x"
	nullArgument       = "-0" // of [printer.null]
)

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
		if _, ok := f.value.(flagKind); ok {
			flags.FuncP(name, letter, f.usage, set)
		} else {
			flags.BoolFuncP(name, letter, f.usage, set)
		}
		flags.Lookup(name).Hidden = f.usage == "" || name != names[0]
	}
}

// set sets the argument of a flag with a value from the command line.
func (f commandFlag) set(args map[string]any, value string) error {
	switch f.value {
	case integerFlag:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return errors.New("must be an integer")
		}
		args[f.argument] = n
	case listFlag:
		if before, ok := args[f.argument].(string); ok {
			value = before + "\n" + value
		}
		args[f.argument] = value
	case textFlag:
		args[f.argument] = value
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

// flagError adds the right flag to the error about an unknown one.
func (c toolCommand) flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return flagError(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	for _, word := range []string{name, unknown.GetSpecifiedShortnames()} {
		if advice := c.advice[word]; advice != "" {
			return seeHelp(cmd, fmt.Errorf("%w; use %s", err, advice))
		}
	}
	var names []string
	for _, f := range c.flags {
		if f.usage != "" {
			names = append(names, strings.Fields(f.names)[0])
		}
	}
	near := suggest(name, names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return seeHelp(cmd, didYouMean(err, near))
}
