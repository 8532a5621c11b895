package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addInt adds a flag with an integer, whose range the tool checks.
func (c *toolCommand) addInt(p **int, name, letter, usage string) {
	c.Flags().FuncP(name, letter, usage, func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return errors.New("must be an integer")
		}
		*p = &n
		return nil
	})
}

// addNumbers adds a flag that turns the numbers of lines on or off. The last such flag decides.
func (c *toolCommand) addNumbers(isOn bool, name, letter, usage string) {
	c.Flags().BoolFuncP(name, letter, usage, func(value string) error {
		isTrue, err := strconv.ParseBool(value)
		c.arguments.Numbers = new(isTrue == isOn)
		return err
	})
}

// addOff adds a flag that turns another flag off. The last of the two decides. The help omits it,
// because off is the default.
func (c *toolCommand) addOff(p *bool, name, letter string) {
	c.Flags().BoolFuncP(name, letter, "", func(value string) error {
		isTrue, err := strconv.ParseBool(value)
		if isTrue {
			*p = false
		}
		return err
	})
	_ = c.Flags().MarkHidden(name)
}

// addWord adds a flag with one of several words, or a beginning that only one has.
func (c *toolCommand) addWord(p *string, name, letter, usage string, words ...string) {
	c.Flags().FuncP(name, letter, usage, func(value string) error {
		var meant []string
		for _, word := range words {
			if value != "" && strings.HasPrefix(word, value) {
				meant = append(meant, word)
			}
		}
		if len(meant) != 1 {
			return errors.New("must be one of " + strings.Join(words, ", "))
		}
		*p = meant[0]
		return nil
	})
	completeValues(c.Command, name, words...)
}

func (c *toolCommand) addPage() {
	c.addInt(&c.arguments.Offset, "offset", "", "begin with result `N`")
	c.addInt(&c.arguments.Limit, "limit", "", "show at most `N` results")
}

// addPaths adds the flags of the commands that print paths. ignored has other names of --ignored.
func (c *toolCommand) addPaths(ignored string) {
	f := c.Flags()
	f.BoolVar(&c.arguments.Ignored, "ignored", false, "include files that git ignores")
	f.BoolVarP(&c.output.Null, "null", "0", false, "end each path with a NUL byte, for xargs -0")
	f.BoolVar(&c.output.JSON, "json", false, "print one JSON object per result")
	c.alias("ignored", ignored)
	c.alias("null", "print0 zero")
}

// alias adds other names and letters of a flag. The help omits them.
func (c *toolCommand) alias(name, others string) {
	for word := range strings.FieldsSeq(others) {
		other := *c.Flags().Lookup(name)
		other.Hidden = true
		other.Name, other.Shorthand = splitFlag(word)
		c.Flags().AddFlag(&other)
	}
}

// accept adds flags of other programs that ask for what is already so. Those that have a value end
// in "=". The help omits them.
func (c *toolCommand) accept(flags string) {
	ignore := func(string) error { return nil }
	for word := range strings.FieldsSeq(flags) {
		word, hasValue := strings.CutSuffix(word, "=")
		name, letter := splitFlag(word)
		if hasValue {
			c.Flags().FuncP(name, letter, "", ignore)
		} else {
			c.Flags().BoolFuncP(name, letter, "", ignore)
		}
		c.Flags().Lookup(name).Hidden = true
	}
}

// splitFlag returns the name and the letter of a flag that is written as a word or as a letter. A
// letter needs a name, too.
func splitFlag(word string) (name, letter string) {
	if len(word) == 1 {
		return "short-" + word, word
	}
	return word, ""
}

// completeValues lets shells complete the values of a flag.
func completeValues(cmd *cobra.Command, flag string, values ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	// It fails only if the flag has completions already.
	_ = cmd.RegisterFlagCompletionFunc(flag, complete)
}

// flagError adds advice to an error from the flags of cmd: similar flags, or the flag to use
// instead of another program's.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return seeHelp(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	use := substituteFor(cmd.Name(), name)
	switch {
	case use != "":
		err = fmt.Errorf("%w; use %s", err, use)
	case len(name) > 1: // a letter is similar to too much
		err = didYouMean(err, "--", suggest(name, flagNames(cmd)))
	}
	return seeHelp(cmd, err)
}

// checkWords returns an error about words that the parser would misread: an empty command, which it
// would skip, and a flag of the program find, a word after one hyphen that it would take as
// letters.
func checkWords(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	switch {
	case err == nil && cmd == root && slices.Contains(rest, ""):
		return unknownCommand(root, "")
	case err != nil || cmd.Name() != "find":
		return nil
	}
	for _, arg := range rest {
		if arg == "--" { // only arguments follow
			break
		}
		word, isFlag := strings.CutPrefix(arg, "-")
		use := substituteFor("find", word)
		isWord := isFlag && len(word) > 1
		if isWord && use != "" {
			return seeHelp(cmd, fmt.Errorf("unknown flag %s; use %s", arg, use))
		}
	}
	return nil
}

// flagNames returns the names of the flags that the help of cmd has.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}
