package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/frontend/config"
)

func newConfigCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check and begin a configuration",
		Long: `Show, check and begin a configuration. A key has its value from --set, else from its environment variable, else from the file
of --config or GANDER_CONFIG, else the default. The variable of limits.timeout is GANDER_LIMITS_TIMEOUT, and so on;
GANDER_CONFIG, GANDER_ROOT and GANDER_TOOLS stand in for the flags. gander never looks for a file by itself.`,
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
		Long: `Print the value of every key, as a configuration file that sets them; with KEY, of those keys and of those in a table of
that name. With --origin, a comment says where a value comes from, and the first lines say so of the flags.`,
		Example: `  gander config show --origin
  gander config show limits tools.tree.max_depth
  GANDER_LIMITS_TIMEOUT=5s gander config show --json limits.timeout`,
	}
	src := newSource(cmd.Flags()).withRoots().withTools()
	origin := cmd.Flags().Bool("origin", false, "say where each value comes from")
	asJSON := cmd.Flags().Bool("json", false, "print one JSON document, origins included")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, _, err := src.open() // what cannot be used is no configuration
		if err != nil {
			return err
		}
		defer ts.Close()
		c, err := src.load()
		if err != nil {
			return err
		}
		values, err := choose(c.Values(), args)
		if err != nil {
			return err
		}
		flags := src.settings(ts.Roots())
		if *asJSON {
			return writeJSON(cmd, configDocument(flags, values))
		}
		var b strings.Builder
		if *origin && len(args) == 0 {
			for _, f := range flags {
				b.WriteString("# " + f.Key + " " + f.Value + "  # " + from(f) + "\n")
			}
		}
		for _, v := range values {
			b.WriteString(v.Key + " = " + v.Value)
			if *origin {
				b.WriteString("  # " + from(v))
			}
			b.WriteString("\n")
		}
		return write(cmd.OutOrStdout(), b.String())
	}
	return cmd
}

// choose returns the values that the words name: keys, or tables of them. No words name all.
func choose(values []config.Value, words []string) ([]config.Value, error) {
	if len(words) == 0 {
		return values, nil
	}
	var chosen []config.Value
	for _, word := range words {
		before := len(chosen)
		for _, v := range values {
			if v.Key == word || strings.HasPrefix(v.Key, word+".") {
				chosen = append(chosen, v)
			}
		}
		if len(chosen) == before {
			return nil, suggested(fmt.Errorf("unknown key %q", word), near(word, config.Keys()))
		}
	}
	return chosen, nil
}

// settings are the values of the flags that are no keys, with where they come from.
func (s *source) settings(roots []string) []config.Value {
	value := func(name, absent string, words ...string) config.Value {
		f := s.flags.Lookup(name)
		v := config.Value{Key: "--" + name, Value: strings.Join(words, " "), Origin: config.Default}
		switch {
		case len(f.Annotations[stood]) > 0:
			v.Origin, v.Where = config.Environment, f.Annotations[stood][0]
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

// from says where a value comes from, as in "environment GANDER_LIMITS_TIMEOUT".
func from(v config.Value) string { return strings.TrimSpace(v.Origin + " " + v.Where) }

type configValue struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
	Where  string `json:"where,omitempty"`
}

func configDocument(flags, values []config.Value) any {
	document := struct {
		Flags []configValue `json:"flags"`
		Keys  []configValue `json:"keys"`
	}{[]configValue{}, []configValue{}}
	for _, f := range flags {
		document.Flags = append(document.Flags, configValue{f.Key, f.Value, f.Origin, f.Where})
	}
	for _, v := range values {
		document.Keys = append(document.Keys, configValue{v.Key, json.RawMessage(v.Value), v.Origin, v.Where})
	}
	return document
}

func newConfigCheckCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say all that is wrong with a configuration",
		Long: `Say all that is wrong with a configuration: the file, or that of --config, together with the environment and --set. A variable
that begins with GANDER_ and that gander does not know counts as wrong here, and nowhere else.`,
		Example: `  gander config check gander.toml
  gander config check --set limits.timeout=5s`,
		Args: arguments(0, 1, "at most one file"),
	}
	src := newSource(cmd.Flags()).withRoots().withTools()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if src.flags.Changed("config") && len(src.flags.Lookup("config").Annotations[stood]) == 0 {
				return errors.New("the file is named twice; leave out --config")
			}
			src.config = args[0]
		}
		wrong := src.problems()
		for _, err := range wrong[:max(len(wrong)-1, 0)] {
			cmd.PrintErrln("gander: " + fitLine(err.Error()))
		}
		if len(wrong) > 0 {
			return wrong[len(wrong)-1]
		}
		return write(cmd.OutOrStdout(), "nothing is wrong\n")
	}
	return cmd
}

// problems are all that is wrong with the file, or else with what is made of it.
func (s *source) problems() []error {
	var wrong []error
	if s.config != "" {
		data, err := os.ReadFile(s.config)
		if err != nil {
			return []error{s.named("config", fmt.Errorf("cannot read the configuration: %w", err))}
		}
		wrong = config.Check(s.config, data)
	}
	wrong = append(wrong, strangers(os.Environ())...)
	if len(wrong) > 0 {
		return wrong
	}
	ts, _, err := s.open()
	if err != nil {
		return []error{err}
	}
	ts.Close()
	return nil
}

// variables are the environment variables that gander reads.
func variables() []string {
	names := []string{tokenVariable}
	for _, name := range standIns() {
		names = append(names, name)
	}
	for _, key := range config.Keys() {
		names = append(names, config.Variable(key))
	}
	slices.Sort(names)
	return names
}

// strangers are the variables that are named like gander's own and are none.
func strangers(environ []string) []error {
	known := variables()
	var wrong []error
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GANDER_") && !slices.Contains(known, name) {
			wrong = append(wrong, suggested(fmt.Errorf("%s: gander knows no such variable", name), near(name, known)))
		}
	}
	return wrong
}

func newConfigInitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Print a configuration with every key, or write it to a new file",
		Long: `Print a configuration that holds every key with its default and what it means. With FILE, write it there instead; a file that
exists is left as it is.`,
		Example: `  gander config init
  gander config init gander.toml`,
		Args: arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return write(cmd.OutOrStdout(), config.Example())
			}
			if err := writeNew(args[0], config.Example()); err != nil {
				return failure{fmt.Errorf("cannot write the configuration: %w", err)}
			}
			return nil
		},
	}
}

// writeNew writes a file where there is none.
func writeNew(name, data string) error {
	f, err := os.OpenFile(filepath.Clean(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(data)
	return errors.Join(err, f.Close())
}
