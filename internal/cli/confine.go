package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/confinement"
	"gander/internal/toolset"
)

// ownProcess is a key of contexts. Its value is true for [Main].
type ownProcess struct{}

// Main is [Run] for a process that does nothing else, with its standard streams. The kernel
// confines the process before a command looks at files; see [confinement.Enforce].
func Main(ctx context.Context, args []string) int {
	ctx = context.WithValue(ctx, ownProcess{}, true)
	return Run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}

// noConfinement is the flag that lifts the confinement by the kernel.
const noConfinement = "no-kernel-confinement"

// withConfinement adds the flag --no-kernel-confinement. Without it, confine does nothing.
func (s *source) withConfinement() *source {
	s.cmd.Flags().Bool(noConfinement, false, "do not let the kernel confine gander to the roots")
	return s
}

// confine has the kernel confine the process to the roots of ts, if the command has the flag for
// that and [Main] runs it. It returns the confinement in force, for the log.
func (s *source) confine(ts *gander.Toolset) (holds string, err error) {
	lifted, err := s.cmd.Flags().GetBool(noConfinement)
	switch {
	case err != nil:
		return "none for this command", nil
	case lifted:
		return "none, because of --" + noConfinement, nil
	case s.cmd.Context().Value(ownProcess{}) != true:
		return "none inside another program", nil
	}
	if err := confinement.Enforce((*toolset.Toolset)(ts).Confine()...); err != nil {
		return "", failure{fmt.Errorf("the kernel cannot confine gander: %w; use --%s to start without",
			err, noConfinement)}
	}
	return confinement.Describe(), nil
}

// A versionFlag is the flag --version. Given twice, it also prints how the kernel confines.
type versionFlag struct {
	root  *cobra.Command
	count int
}

func addVersionFlag(root *cobra.Command) {
	flag := root.Flags().VarPF(&versionFlag{root: root}, "version", "v",
		"print the version; twice, also how the kernel confines gander")
	flag.NoOptDefVal = "true"
	root.SetVersionTemplate("gander {{.Version}}\n")
}

func (f *versionFlag) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return errors.New("must be true or false")
	}
	f.count++
	if !on {
		f.count = 0
	}
	if f.count == 2 {
		f.root.SetVersionTemplate(
			"gander {{.Version}}\nkernel confinement: " + confinement.Describe() + "\n")
	}
	return nil
}

func (f *versionFlag) String() string { return strconv.FormatBool(f.count > 0) }

func (f *versionFlag) Type() string { return "bool" }
