package cli

import (
	"cmp"
	_ "embed"
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

// addWord adds a flag with one of several words, or the beginning of one.
func (c *toolCommand) addWord(p *string, name, letter, usage string, words ...string) {
	c.Flags().FuncP(name, letter, usage, func(value string) error {
		isMeant := func(word string) bool { return value != "" && strings.HasPrefix(word, value) }
		i := slices.IndexFunc(words, isMeant)
		if i < 0 {
			return errors.New("must be one of " + strings.Join(words, ", "))
		}
		*p = words[i]
		return nil
	})
	completeValues(c.Command, name, words...)
}

// addPage adds the flags that select a part of the results.
func (c *toolCommand) addPage() {
	c.addInt(&c.arguments.Offset, "offset", "", "begin with result `N`")
	c.addInt(&c.arguments.Limit, "limit", "", "show at most `N` results")
}

// addPaths adds the flags of the commands that print paths. ignored has other names of --ignored.
func (c *toolCommand) addPaths(ignored string) {
	f := c.Flags()
	f.BoolVar(&c.arguments.Ignored, "ignored", false, "include files that git ignores")
	f.BoolVarP(&c.form.Null, "null", "0", false, "end each path with a NUL byte, for xargs -0")
	f.BoolVar(&c.form.JSON, "json", false, "print one JSON object per result")
	c.alias("ignored", ignored)
	c.alias("null", "print0 zero")
}

// alias adds names and letters of a flag that the help omits.
func (c *toolCommand) alias(name, others string) {
	addHidden(c.Flags(), *c.Flags().Lookup(name), others)
}

// accept adds flags that ask for what is already so.
func (c *toolCommand) accept(switches, withValue string) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Bool("switch", false, "")
	f.String("value", "", "")
	addHidden(c.Flags(), *f.Lookup("switch"), switches)
	addHidden(c.Flags(), *f.Lookup("value"), withValue)
}

func addHidden(flags *pflag.FlagSet, flag pflag.Flag, names string) {
	for name := range strings.FieldsSeq(names) {
		hidden := flag
		hidden.Hidden, hidden.Name, hidden.Shorthand = true, name, ""
		if len(name) == 1 {
			hidden.Name, hidden.Shorthand = "short-"+name, name
		}
		flags.AddFlag(&hidden)
	}
}

// completeValues lets shells complete the values of a flag.
func completeValues(cmd *cobra.Command, flag string, values ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc(flag, complete) // it fails only if it has one
}

// flagError adds advice to an error from the flags of cmd: similar flags, or the flag to use
// instead of another program's.
func flagError(cmd *cobra.Command, err error) error {
	instead := adviceFor(cmd.Name())
	var advice string
	var near []string
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := unknown.GetSpecifiedName()
		advice = cmp.Or(instead[name], instead[unknown.GetSpecifiedShortnames()])
		if len(name) > 1 { // Letters are similar to too much.
			near = suggest(name, flagNames(cmd))
		}
	}
	wrong, ok := errors.AsType[*pflag.InvalidValueError](err)
	if ok && wrong.GetFlag().Shorthand != "" { // one word of find, after one hyphen
		advice = instead[wrong.GetFlag().Shorthand+wrong.GetValue()]
	}
	if advice != "" {
		err = fmt.Errorf("%w; use %s", err, advice)
	} else {
		err = didYouMean(err, "--", near)
	}
	return seeHelp(cmd, err)
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

// adviceTable has a section for each command. A line has flags of other programs, and what to use
// instead.
//
//go:embed advice.txt
var adviceTable string

// adviceFor returns what to use instead of the flags of other programs, by the name of the flag.
func adviceFor(command string) map[string]string {
	_, section, _ := strings.Cut(adviceTable, "# "+command+"\n")
	section, _, _ = strings.Cut(section, "# ")
	advice := make(map[string]string)
	for line := range strings.Lines(section) {
		flags, use, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		for flag := range strings.FieldsSeq(flags) {
			advice[flag] = use
		}
	}
	return advice
}
