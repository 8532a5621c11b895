package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/config"
)

func newConfigCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check or create a configuration",
		Long: `Show, check or create a configuration.

A key has its value from --set, else from its environment variable, such as
GANDER_LIMITS_TIMEOUT for limits.timeout, else from the file that --config or
GANDER_CONFIG names, else its default. GANDER_ROOT and GANDER_TOOLS set --root
and --tools. gander never looks for a configuration file by itself.`,
		Example: `  gander config show --origin
  gander config check gander.toml
  gander config init gander.toml`,
		RunE: noCommand,
	}
	cmd.AddCommand(newConfigShowCmd(), newConfigCheckCmd(), newConfigInitCmd())
	return cmd
}

func newConfigShowCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show [KEY...]",
		Short: "Print the value of every key, as a configuration file",
		Long: `Print the value of every key, as a configuration file that sets them. If KEYs
are given, print only these keys and the keys of the tables so named. With
--origin, a comment tells where each value comes from; the first lines tell
it of the flags.`,
		Example: `  gander config show --origin
  gander config show limits tools.tree.max_depth
  GANDER_LIMITS_TIMEOUT=5s gander config show --json limits.timeout`,
		ValidArgsFunction: completeKeys,
	}
	src := newSource(cmd).withRoots().withTools()
	origin := cmd.Flags().Bool("origin", false, "tell where each value comes from")
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object, origins included")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, _, err := src.open() // A configuration that cannot be used is not shown.
		if err != nil {
			return err
		}
		defer ts.Close()
		c, err := src.load()
		if err != nil {
			return err
		}
		values, err := selectValues(c.Values(), args)
		if err != nil {
			return err
		}
		flags := src.flagValues(ts.Roots())
		if *asJSON {
			return writeJSON(cmd, map[string][]config.Value{"flags": flags, "keys": values})
		}
		var b strings.Builder
		if *origin && len(args) == 0 {
			for _, f := range flags {
				fmt.Fprintf(&b, "# %s %s  # %s\n", f.Key, f.Value, originOf(f))
			}
		}
		for _, v := range values {
			fmt.Fprintf(&b, "%s = %s", v.Key, v.Value)
			if *origin {
				b.WriteString("  # " + originOf(v))
			}
			b.WriteString("\n")
		}
		return write(cmd, b.String())
	}
	return cmd
}

// selectValues returns the values of the keys and tables that words name, or all values if there are no words.
func selectValues(values []config.Value, words []string) ([]config.Value, error) {
	if len(words) == 0 {
		return values, nil
	}
	var selected []config.Value
	for _, word := range words {
		before := len(selected)
		for _, v := range values {
			if v.Key == word || strings.HasPrefix(v.Key, word+".") {
				selected = append(selected, v)
			}
		}
		if len(selected) == before {
			return nil, didYouMean(fmt.Errorf("unknown key %q", word), suggest(word, config.Keys()))
		}
	}
	return selected, nil
}

// flagValues returns the values of the flags that are not keys, with where they come from.
func (s *source) flagValues(roots []string) []config.Value {
	value := func(name, absent string, words ...string) config.Value {
		f := s.cmd.Flags().Lookup(name)
		v := config.Value{Key: "--" + name, Value: strings.Join(words, " "), Origin: config.Default}
		switch {
		case variableOf(f) != "":
			v.Origin, v.Where = config.Environment, variableOf(f)
		case f.Changed:
			v.Origin, v.Where = config.Flag, "--"+name
		default:
			v.Value = absent
		}
		return v
	}
	return []config.Value{
		value("config", "none", s.config),
		value("root", strings.Join(roots, " "), roots...),
		value("tools", "all", strings.Join(s.tools, ",")),
	}
}

// originOf says where a value comes from, as in "environment GANDER_LIMITS_TIMEOUT".
func originOf(v config.Value) string { return strings.TrimSpace(v.Origin + " " + v.Where) }

func newConfigCheckCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Report everything that is wrong with a configuration",
		Long: `Report everything that is wrong with a configuration: that in FILE or --config,
together with the environment and --set. An unknown variable whose name begins
with GANDER_ is an error here, and ignored elsewhere.`,
		Example: `  gander config check gander.toml
  gander config check --set limits.timeout=5s`,
		Args: arguments(0, 1, "at most one file"),
	}
	src := newSource(cmd).withRoots().withTools()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if f := cmd.Flags().Lookup("config"); f.Changed && variableOf(f) == "" {
				return errors.New("the file is named twice; leave out --config")
			}
			src.config = args[0]
		}
		problems := src.problems()
		if len(problems) == 0 {
			return write(cmd, "nothing is wrong\n")
		}
		last := len(problems) - 1
		for _, err := range problems[:last] {
			printError(cmd, err)
		}
		return problems[last]
	}
	return cmd
}

// problems returns everything that is wrong with the file and the environment, or if nothing is, what is wrong with the
// configuration that they make.
func (s *source) problems() []error {
	var problems []error
	if s.config != "" {
		data, err := config.ReadFile(s.config)
		if err != nil {
			return []error{s.flagError("config", err)}
		}
		problems = config.Check(s.config, data)
	}
	problems = append(problems, unknownEnv(os.Environ())...)
	if len(problems) > 0 {
		return problems
	}
	ts, _, err := s.open()
	if err != nil {
		return []error{err}
	}
	ts.Close()
	return nil
}

// unknownEnv returns an error for each variable of environ that is named like one of gander's but is not.
func unknownEnv(environ []string) []error {
	known := []string{tokenVariable}
	for _, name := range envFlags() {
		known = append(known, name)
	}
	for _, key := range config.Keys() {
		known = append(known, config.Variable(key))
	}
	slices.Sort(known)
	var unknown []error
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GANDER_") && !slices.Contains(known, name) {
			unknown = append(unknown, didYouMean(fmt.Errorf("%s: gander knows no such variable", name), suggest(name, known)))
		}
	}
	return unknown
}

func newConfigInitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Print a configuration with every key, or write it to a new file",
		Long: `Print a configuration that has every key with its default and an explanation,
or write it to FILE, which must not exist.`,
		Example: `  gander config init
  gander config init gander.toml`,
		Args: arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return write(cmd, config.Example())
			}
			if err := writeNew(args[0], config.Example()); err != nil {
				return failure{fmt.Errorf("cannot write the configuration: %w", err)}
			}
			return nil
		},
	}
}

// writeNew writes data to a file that must not exist.
func writeNew(name, data string) error {
	f, err := os.OpenFile(filepath.Clean(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(data)
	return errors.Join(err, f.Close())
}
