package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/config"
	"gander/tool"
)

// A source opens the toolset that the flags of a command describe.
type source struct {
	cmd    *cobra.Command
	roots  []string
	config string
	set    []string
	tools  []string

	standard []string // tools, if --tools is not given
}

// newSource gives cmd the flags --config and --set.
func newSource(cmd *cobra.Command) *source {
	s := &source{cmd: cmd}
	cmd.Flags().StringVar(&s.config, "config", "", "read the configuration from `FILE`")
	cmd.Flags().StringArrayVar(&s.set, "set", nil, "set a configuration key, `KEY=VALUE`; repeatable")
	completeFlag(cmd, "set", completeSetting)
	return s
}

// withRoots gives the command the flag --root.
func (s *source) withRoots() *source {
	s.cmd.Flags().StringArrayVar(&s.roots, "root", nil, "confine the tools to `DIR` (default .); repeatable")
	_ = s.cmd.MarkFlagDirname("root") // It fails only if the flag does not exist.
	return s
}

// withTools gives the command the flag --tools, which has the value standard unless it is set.
func (s *source) withTools(standard ...string) *source {
	s.standard = standard
	s.cmd.Flags().StringSliceVar(&s.tools, "tools", nil, "offer the tools in `LIST`: ids, dialects or all")
	completeFlag(s.cmd, "tools", completeTools)
	return s
}

// envFlags returns the environment variables that set flags, by the flags' names.
func envFlags() map[string]string {
	return map[string]string{"config": "GANDER_CONFIG", "root": "GANDER_ROOT", "tools": "GANDER_TOOLS"}
}

// envAnnotation is the annotation of a flag that was set from the environment. Its value is the variable.
const envAnnotation = "environment"

// flagsFromEnv sets the flags of cmd that are not on the command line from their environment variables. An empty variable
// counts as not set. Several roots are separated as in PATH.
func flagsFromEnv(cmd *cobra.Command) error {
	for name, variable := range envFlags() {
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
		if err := cmd.Flags().SetAnnotation(name, envAnnotation, []string{variable}); err != nil {
			return err
		}
	}
	return nil
}

// variableOf returns the environment variable that set the flag, or "".
func variableOf(f *pflag.Flag) string {
	if f == nil || len(f.Annotations[envAnnotation]) == 0 {
		return ""
	}
	return f.Annotations[envAnnotation][0]
}

// flagError adds to err the environment variable that set the flag, if one did.
func (s *source) flagError(flag string, err error) error {
	if variable := variableOf(s.cmd.Flags().Lookup(flag)); err != nil && variable != "" {
		return fmt.Errorf("%s: %w", variable, err)
	}
	return err
}

// load reads the configuration.
func (s *source) load() (*config.Config, error) {
	if s.config == "" && s.cmd.Flags().Changed("config") {
		return nil, errors.New("cannot read the configuration: --config is empty; name a file, or leave it out")
	}
	c, err := config.Load(config.Sources{File: s.config, Environ: os.Environ(), Set: s.set})
	return c, s.configError(err)
}

// configError adds a suggestion or the environment variable to an error about the configuration.
func (s *source) configError(err error) error {
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return s.flagError("config", err)
	}
	if unknown, ok := errors.AsType[*config.UnknownKeyError](err); ok {
		if near := suggest(unknown.Key, config.Keys()); len(near) > 0 {
			return didYouMean(err, near)
		}
		return fmt.Errorf("%w; 'gander config show' lists the keys", err)
	}
	return err
}

// open opens the toolset, and returns the options of its configuration.
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
	if s.cmd.Flags().Changed("tools") && len(s.tools) == 0 {
		return nil, errors.New("--tools names no tool; name ids or dialects, or leave it out")
	}
	o.Roots, o.Tools = s.roots, s.chosenTools()
	ts, err := gander.Open(o)
	switch {
	case err == nil:
	case errors.Is(err, tool.ErrUnknownTool) && !strings.HasPrefix(err.Error(), "policy "):
		err = s.flagError("tools", suggestTool(err, s.tools))
	case strings.HasPrefix(err.Error(), "root "):
		err = s.flagError("root", err)
	}
	return ts, config.NameKey(err)
}

// chosenTools returns the words that choose the tools. There are none if all tools are meant.
func (s *source) chosenTools() []string {
	if len(s.tools) == 0 {
		return s.standard
	}
	return s.tools
}

// suggestTool adds to err, which is about one of words, the tools and dialects of similar names.
func suggestTool(err error, words []string) error {
	known := selectors()
	for _, d := range definitions() {
		if !slices.Contains(known, d.Name) {
			known = append(known, d.Name)
		}
	}
	for _, word := range words {
		if !slices.Contains(known, word) {
			return didYouMean(err, suggest(word, known))
		}
	}
	return err
}
