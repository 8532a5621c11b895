package cli

import (
	"errors"

	"github.com/spf13/pflag"

	"gander"
	"gander/internal/config"
)

// A source is what the flags say of the toolset that a command works with.
type source struct {
	flags  *pflag.FlagSet
	roots  []string
	config string
	tools  []string
}

func newSource(flags *pflag.FlagSet) *source {
	s := &source{flags: flags}
	flags.StringVar(&s.config, "config", "", "read the configuration from `FILE`; none is read otherwise")
	return s
}

func (s *source) withRoots() *source {
	s.flags.StringArrayVar(&s.roots, "root", nil, "confine the tools to `DIR`; repeatable, paths are relative to the first (default: the working directory)")
	return s
}

func (s *source) withTools(standard ...string) *source {
	s.flags.StringSliceVar(&s.tools, "tools", standard, "offer the tools in `LIST`: ids, dialects or all, separated by commas; repeatable")
	return s
}

// open opens the toolset, and returns the options that it was opened with.
func (s *source) open() (*gander.Toolset, gander.Options, error) {
	var o gander.Options
	if s.config != "" || s.flags.Changed("config") {
		var err error
		if o, err = config.Load(s.config); err != nil {
			return nil, o, err
		}
	}
	if s.flags.Changed("tools") && len(s.tools) == 0 {
		return nil, o, errors.New("--tools names no tool; name ids or dialects, or leave it out")
	}
	o.Roots, o.Tools = s.roots, s.tools
	ts, err := gander.Open(o)
	return ts, o, err
}
