package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/config"
)

// A source opens the toolset that the flags of a command describe.
type source struct {
	cmd                *cobra.Command
	config             string
	roots, deny, tools []string
}

// newSource adds the flags --config, --root and --deny to cmd. Environment variables set the
// defaults; GANDER_ROOT is a list like PATH.
func newSource(cmd *cobra.Command) *source {
	s := &source{cmd: cmd}
	f := cmd.Flags()
	f.StringVar(&s.config, "config", os.Getenv("GANDER_CONFIG"), "read the configuration from `FILE`")
	f.StringArrayVar(&s.roots, "root", filepath.SplitList(os.Getenv("GANDER_ROOT")),
		"confine the tools to `DIR` (default .); repeatable")
	f.StringArrayVar(&s.deny, "deny", nil, "deny access to paths that match `PATTERN`; repeatable")
	_ = cmd.MarkFlagDirname("root") // It fails only if the flag does not exist.
	return s
}

// withTools adds the flag --tools.
func (s *source) withTools() *source {
	var tools []string
	if list := os.Getenv("GANDER_TOOLS"); list != "" {
		tools = strings.Split(list, ",")
	}
	s.cmd.Flags().StringSliceVar(&s.tools, "tools", tools,
		"offer the tools in `LIST`: ids, sets of tools, or all")
	completeFlag(s.cmd, "tools", completeTools)
	return s
}

// load reads the configuration. The options have the roots, tools and deny patterns of the flags.
func (s *source) load() (o gander.Options, err error) {
	if s.config == "" && s.cmd.Flags().Changed("config") {
		return o, errors.New("--config is empty; name a file or omit the flag")
	}
	if s.config != "" {
		var problems []error
		o, problems = config.Load(s.config)
		for i, err := range problems {
			problems[i] = s.configError(err)
		}
		if len(problems) > 0 {
			return o, errors.Join(problems...)
		}
	}
	o.Roots, o.Tools = s.roots, s.tools
	o.Deny = append(o.Deny, s.deny...)
	return o, nil
}

// configError adds a suggestion, or the environment variable, to an error about the configuration.
func (s *source) configError(err error) error {
	unknown, ok := errors.AsType[*config.UnknownKey](err)
	if !ok {
		if f := s.cmd.Flags().Lookup("config"); f != nil && !f.Changed {
			err = fmt.Errorf("GANDER_CONFIG: %w", err)
		}
		return err
	}
	near := config.Similar(unknown.Key)
	if len(near) == 0 {
		near = suggest(unknown.Key, config.Names())
	}
	if len(near) == 0 {
		near = config.Similar("." + unknown.Key) // the key without its table
	}
	near = slices.DeleteFunc(near, func(key string) bool { // the keys of a table that is in near
		table := key[:max(strings.LastIndexByte(key, '.'), 0)]
		return slices.Contains(near, table)
	})
	if len(near) == 0 {
		return fmt.Errorf("%w; 'gander config init' prints every key", err)
	}
	return didYouMean(err, near)
}

// run returns a function for a command that opens the toolset, runs f and closes the toolset.
func (s *source) run(
	f func(cmd *cobra.Command, ts *gander.Toolset, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		o, err := s.load()
		if err != nil {
			return err
		}
		ts, err := s.open(o)
		if err != nil {
			return err
		}
		defer ts.Close()
		return f(cmd, ts, args)
	}
}

// open opens the toolset with the options of [source.load].
func (s *source) open(o gander.Options) (*gander.Toolset, error) {
	if s.cmd.Flags().Changed("tools") && len(s.tools) == 0 {
		return nil, errors.New("--tools is empty; name tools or omit the flag")
	}
	ts, err := gander.Open(o)
	if err != nil {
		return nil, s.nameVariable(config.NameKeys(err))
	}
	return ts, nil
}

// nameVariable adds the environment variable, if any, to an error about the roots or the tools.
func (s *source) nameVariable(err error) error {
	flag, variable := "root", "GANDER_ROOT"
	if strings.HasPrefix(err.Error(), "unknown tool ") {
		flag, variable = "tools", "GANDER_TOOLS"
	} else if !strings.HasPrefix(err.Error(), "root ") {
		return err
	}
	f := s.cmd.Flags().Lookup(flag)
	if f == nil || f.Changed || os.Getenv(variable) == "" {
		return err
	}
	return fmt.Errorf("%s: %w", variable, err)
}
