package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/config"
)

// A source opens the toolset that the flags of a command describe.
type source struct {
	cmd    *cobra.Command
	config string
	roots  []string
	deny   []string
	tools  []string
}

// newSource adds the flags --config, --root and --deny to cmd.
func newSource(cmd *cobra.Command) *source {
	s := &source{cmd: cmd}
	cmd.Flags().StringVar(&s.config, "config", "", "read the configuration from `FILE`")
	cmd.Flags().StringArrayVar(&s.roots, "root", nil,
		"confine the tools to `DIR` (default .); repeatable")
	cmd.Flags().StringArrayVar(&s.deny, "deny", nil,
		"deny access to paths that match `PATTERN`; repeatable")
	_ = cmd.MarkFlagDirname("root") // It fails only if the flag does not exist.
	return s
}

// withTools adds the flag --tools.
func (s *source) withTools() *source {
	s.cmd.Flags().StringSliceVar(&s.tools, "tools", nil,
		"offer the tools in `LIST`: ids, families or all")
	completeFlag(s.cmd, "tools", completeTools)
	return s
}

// envFlags returns the environment variables that set flags, by the flags' names.
func envFlags() map[string]string {
	return map[string]string{"config": "GANDER_CONFIG", "root": "GANDER_ROOT", "tools": "GANDER_TOOLS"}
}

// envAnnotation is the annotation of a flag with the environment variable that set it.
const envAnnotation = "environment"

// flagsFromEnv sets the flags of cmd that are not on the command line from their environment
// variables. An empty variable is ignored. GANDER_ROOT is a list like PATH.
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

// flagError adds the environment variable that set the flag, if any, to err.
func (s *source) flagError(flag string, err error) error {
	if variable := variableOf(s.cmd.Flags().Lookup(flag)); variable != "" {
		return fmt.Errorf("%s: %w", variable, err)
	}
	return err
}

// load reads the configuration. The options have the roots, tools and deny patterns of the flags.
func (s *source) load() (o gander.Options, problems []error) {
	if s.config == "" && s.cmd.Flags().Changed("config") {
		return o, []error{errors.New("--config is empty; name a file or omit the flag")}
	}
	if s.config != "" {
		if o, problems = config.Load(s.config); len(problems) > 0 {
			for i, err := range problems {
				problems[i] = s.configError(err)
			}
			return o, problems
		}
	}
	o.Roots, o.Tools = s.roots, s.tools
	o.Deny = append(o.Deny, s.deny...)
	return o, nil
}

// configError adds a suggestion or the environment variable to an error about the configuration.
func (s *source) configError(err error) error {
	if wrong, ok := errors.AsType[*config.Error](err); ok {
		if wrong.UnknownKey == "" {
			return err
		}
		if near := config.Similar(wrong.UnknownKey); near != "" {
			return didYouMean(err, []string{near})
		}
		if near := suggest(wrong.UnknownKey, config.Keys()); len(near) > 0 {
			return didYouMean(err, near)
		}
		return fmt.Errorf("%w; 'gander config init' prints every key", err)
	}
	return s.flagError("config", err)
}

// open opens the toolset.
func (s *source) open() (*gander.Toolset, error) {
	o, problems := s.load()
	if len(problems) > 0 {
		return nil, problems[0]
	}
	return s.openWith(o)
}

// openWith opens the toolset with the options of [source.load].
func (s *source) openWith(o gander.Options) (*gander.Toolset, error) {
	if s.cmd.Flags().Changed("tools") && len(s.tools) == 0 {
		return nil, errors.New("--tools is empty; name tools or omit the flag")
	}
	ts, err := gander.Open(o)
	if err == nil {
		return ts, nil
	}
	if known := toolNames(); len(s.tools) > 0 {
		for _, word := range s.tools {
			if !slices.Contains(known, word) {
				return nil, s.flagError("tools", didYouMean(err, suggest(word, known)))
			}
		}
	}
	for _, root := range s.roots {
		if info, wrong := os.Stat(root); wrong != nil || !info.IsDir() {
			return nil, s.flagError("root", err)
		}
	}
	return nil, config.NameKey(err)
}
