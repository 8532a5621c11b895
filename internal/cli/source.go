package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/internal/audit"
	"gander/internal/config"
	"gander/internal/confinement"
	"gander/internal/toolset"
)

// A source opens the toolset that the flags of a command describe.
type source struct {
	cmd                *cobra.Command
	config             string
	roots, deny, tools []string
	logger             *slog.Logger // gets a record of each call; nil for none
	audit              audit.Options
	log                *audit.Log // opened by open if there is an audit.File
	noConfinement      *bool      // nil if the command is not confined; see withConfinement
}

// newSource adds the flags --config, --root, --deny and --allow to cmd. Environment variables set
// the defaults; GANDER_ROOT is a list like PATH.
func newSource(cmd *cobra.Command) *source {
	s := &source{cmd: cmd}
	f := cmd.Flags()
	f.StringVar(&s.config, "config", os.Getenv("GANDER_CONFIG"), "read the configuration from `FILE`")
	f.StringArrayVar(&s.roots, "root", filepath.SplitList(os.Getenv("GANDER_ROOT")),
		"confine the tools to `DIR` (default .); repeatable")
	// The order of both flags counts: of the patterns that match a path, the last decides.
	add := func(prefix string) func(string) error {
		return func(pattern string) error {
			s.deny = append(s.deny, prefix+pattern)
			return nil
		}
	}
	f.Func("deny", "deny access to paths that match `PATTERN`; repeatable", add(""))
	f.Func("allow", "except paths that match `PATTERN` from deny patterns; repeatable", add("!"))
	_ = cmd.MarkFlagDirname("root") // It fails only if the flag does not exist.
	return s
}

func (s *source) withTools() *source {
	var tools []string
	if list := os.Getenv("GANDER_TOOLS"); list != "" {
		tools = strings.Split(list, ",")
	}
	s.cmd.Flags().StringSliceVar(&s.tools, "tools", tools,
		"offer the tools in `LIST`: ids, sets of tools, or all")
	_ = s.cmd.RegisterFlagCompletionFunc("tools", completeTools) // the flag is new
	return s
}

const noConfinementFlag = "no-kernel-confinement"

// withConfinement adds the flag --no-kernel-confinement. Without it, confine does nothing.
func (s *source) withConfinement() *source {
	s.noConfinement = s.cmd.Flags().Bool(noConfinementFlag, false,
		"do not let the kernel confine gander to the roots")
	return s
}

func toolIDs() (ids []string) {
	ts, err := gander.Open(config.Defaults())
	if err != nil {
		return nil
	}
	defer ts.Close()
	for _, spec := range ts.Tools() {
		ids = append(ids, spec.ID)
	}
	return ids
}

func completeTools(
	*cobra.Command, []string, string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	words := []string{"all"}
	for _, id := range toolIDs() {
		set, _, _ := strings.Cut(id, "/")
		if !slices.Contains(words, set) {
			words = append(words, set)
		}
		words = append(words, id)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// open opens the toolset with the configuration and the flags.
func (s *source) open() (*toolset.Toolset, error) {
	if err := checkNotEmpty(s.cmd.Flags(), "config", "tools", "audit"); err != nil {
		return nil, err
	}
	file, err := config.Load(s.config, suggest)
	if err != nil {
		return nil, err
	}
	o := file.Options
	o.Roots, o.Tools, o.Deny = nil, s.tools, append(o.Deny, s.deny...)
	for _, root := range s.roots {
		o.Roots = append(o.Roots, expandHome(root))
	}
	o.Logger = s.logger
	s.useAudit(&o, file.Audit)
	if len(o.Tools) == 0 {
		o.Tools = []string{"gander", "shell"}
	}
	ts, err := gander.Open(o)
	if err != nil {
		return nil, changeErrors(err, file.Locate)
	}
	if err := s.openAudit(ts.Roots()); err != nil {
		return nil, errors.Join(err, ts.Close())
	}
	return (*toolset.Toolset)(ts), nil
}

// checkNotEmpty returns an error if a flag has no value, as from a variable that is not set.
func checkNotEmpty(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		flag := flags.Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		value := flag.Value.String()
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), "")
		}
		if value == "" {
			return fmt.Errorf("--%s is empty; give a value or omit the flag", name)
		}
	}
	return nil
}

// confine lets the kernel confine the process to the roots of ts, unless the user has refused it.
// It describes the confinement that is now in force, for the log.
func (s *source) confine(ts *toolset.Toolset) (description string, err error) {
	switch {
	case s.noConfinement == nil:
		return "none for this command", nil
	case *s.noConfinement:
		return "none, because of --" + noConfinementFlag, nil
	}
	if err := confinement.Enforce(ts.Workspace().Confine()...); err != nil {
		return "", failure(fmt.Errorf("the kernel cannot confine gander: %w; use --%s to start without",
			err, noConfinementFlag))
	}
	return confinement.Describe(), nil
}

// setRun lets the command open the toolset, confine the process, run f and close the toolset.
func (s *source) setRun(f func(ts *toolset.Toolset, args []string) error) {
	s.cmd.RunE = func(_ *cobra.Command, args []string) error {
		ts, err := s.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		_ = time.Local.String() // reads the time zone, which is outside the roots
		if _, err := s.confine(ts); err != nil {
			return err
		}
		return f(ts, args)
	}
}
