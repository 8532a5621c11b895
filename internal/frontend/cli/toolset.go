package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/frontend/config"
	"gander/tool"
)

// A source is what the flags say of the toolset that a command works with.
type source struct {
	flags  *pflag.FlagSet
	roots  []string
	config string
	set    []string
	tools  []string

	observe func(context.Context, tool.Record) // told of every call
}

func newSource(flags *pflag.FlagSet) *source {
	s := &source{flags: flags}
	flags.StringVar(&s.config, "config", "", "read the configuration from `FILE`")
	flags.Var(several{&s.set}, "set", "set a key of the configuration, `KEY=VALUE`; repeatable")
	return s
}

func (s *source) withRoots() *source {
	s.flags.Var(several{&s.roots}, "root", "confine the tools to `DIR` (default: here); repeatable")
	return s
}

func (s *source) withTools(standard ...string) *source {
	s.flags.StringSliceVar(&s.tools, "tools", standard, "offer the tools in `LIST`: ids, dialects or all; repeatable")
	return s
}

// stood is the annotation of a flag that an environment variable has stood in for: its name.
const stood = "stood in for by"

// standIns are the variables that stand in for flags.
func standIns() map[string]string {
	return map[string]string{"config": "GANDER_CONFIG", "root": "GANDER_ROOT", "tools": "GANDER_TOOLS"}
}

// standIn gives the flags of cmd that are not on the command line the values of their variables. An empty variable is as
// good as none. Several roots are separated as in PATH.
func standIn(cmd *cobra.Command) error {
	for name, variable := range standIns() {
		f := cmd.Flags().Lookup(name)
		value := os.Getenv(variable)
		if f == nil || f.Changed || value == "" {
			continue
		}
		values := []string{value}
		if name == "root" {
			values = filepath.SplitList(value)
		}
		for _, v := range values {
			if err := cmd.Flags().Set(name, v); err != nil {
				return fmt.Errorf("%s: %w", variable, err)
			}
		}
		if err := cmd.Flags().SetAnnotation(name, stood, []string{variable}); err != nil {
			return err
		}
	}
	return nil
}

// named is err, naming the variable that has stood in for the flag, if one has.
func (s *source) named(flag string, err error) error {
	if f := s.flags.Lookup(flag); err != nil && f != nil && len(f.Annotations[stood]) > 0 {
		return fmt.Errorf("%s: %w", f.Annotations[stood][0], err)
	}
	return err
}

// load reads the configuration.
func (s *source) load() (*config.Config, error) {
	if s.config == "" && s.flags.Changed("config") {
		return nil, errors.New("cannot read the configuration: --config is empty; name a file, or leave it out")
	}
	c, err := config.Load(config.Sources{File: s.config, Environ: os.Environ(), Set: s.set})
	return c, s.explained(err)
}

// explained is an error about the configuration, with what may have been meant.
func (s *source) explained(err error) error {
	if _, lost := errors.AsType[*os.PathError](err); lost {
		return s.named("config", err)
	}
	if unknown, ok := errors.AsType[*config.UnknownKeyError](err); ok {
		return suggested(err, near(unknown.Key, config.Keys()))
	}
	return err
}

// open opens the toolset, and returns the options that it was opened with.
func (s *source) open() (*gander.Toolset, gander.Options, error) {
	c, err := s.load()
	if err != nil {
		return nil, gander.Options{}, err
	}
	ts, err := s.openWith(c.Options)
	return ts, c.Options, err
}

// openWith opens the toolset with the options of a configuration.
func (s *source) openWith(o gander.Options) (*gander.Toolset, error) {
	if s.flags.Changed("tools") && len(s.tools) == 0 {
		return nil, errors.New("--tools names no tool; name ids or dialects, or leave it out")
	}
	o.Roots, o.Tools, o.Observe = s.roots, s.tools, s.observe
	ts, err := gander.Open(o)
	switch {
	case err == nil:
	case errors.Is(err, tool.ErrUnknownTool) && !strings.HasPrefix(err.Error(), "policy "):
		err = s.named("tools", suggestTool(err, s.tools))
	case strings.HasPrefix(err.Error(), "root "):
		err = s.named("root", err)
	}
	return ts, config.NameKey(err)
}
