package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
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
type flagKind string

// The kinds of flags.
const (
	integerFlag flagKind = "N"
	textFlag    flagKind = "text"
	listFlag    flagKind = "list" // every use adds a line
)

// Names of arguments that the tools do not have. The commands replace them.
const (
	patternsArgument   = "-e"
	wordArgument       = "-w"
	typesArgument      = "-t"
	extensionsArgument = "-x"
	nullArgument       = "-0" // of [printer.null]
)

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

// add adds the flag to cmd. It sets an argument in args.
func (f commandFlag) add(cmd *cobra.Command, args map[string]any) {
	names := strings.Fields(f.names)
	for i := 0; i < len(names); i++ {
		name, letter := names[i], ""
		if len(name) == 1 {
			name, letter = "short-"+name, name
		} else if i+1 < len(names) && len(names[i+1]) == 1 {
			i++
			letter = names[i]
		}
		flag := cmd.Flags().VarPF(&argumentFlag{f, args}, name, letter, f.usage)
		flag.Hidden = f.usage == "" || name != names[0]
		if _, ok := f.value.(flagKind); !ok {
			flag.NoOptDefVal = "true"
		}
		switch f.argument {
		case "sort":
			completeFlag(cmd, name, completeWords([]string{"path", "modified"}))
		case typesArgument:
			completeFlag(cmd, name, completeWords(slices.Sorted(maps.Keys(fileTypes()))))
		}
	}
}

// An argumentFlag is the value of a flag that sets an argument.
type argumentFlag struct {
	flag commandFlag
	args map[string]any
}

func (f *argumentFlag) String() string { return "" } // The default value.

// Type returns the kind of value in the help.
func (f *argumentFlag) Type() string {
	if kind, ok := f.flag.value.(flagKind); ok {
		return string(kind)
	}
	return "bool"
}

func (f *argumentFlag) Set(value string) error {
	name := f.flag.argument
	switch f.flag.value {
	case integerFlag:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return errors.New("must be an integer")
		}
		f.args[name] = n
	case textFlag:
		f.args[name] = value
	case listFlag:
		if before, ok := f.args[name].(string); ok {
			value = before + "\n" + value
		}
		f.args[name] = value
	default:
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		if on && f.flag.value != nil {
			f.args[name] = f.flag.value
		}
	}
	return nil
}
