package cli

import (
	"context"
	"fmt"
	"os"

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

const noConfinementFlag = "no-kernel-confinement"

// withConfinement adds the flag --no-kernel-confinement. Without it, confine does nothing.
func (s *source) withConfinement() *source {
	s.canConfine = true
	s.cmd.Flags().BoolVar(&s.noConfinement, noConfinementFlag, false,
		"do not let the kernel confine gander to the roots")
	return s
}

// confine lets the kernel confine the process to the roots of ts if the command can (see
// withConfinement), the user has not refused it, and the process is gander's own (see [Main]). It
// describes the confinement that is now in force, for the log.
func (s *source) confine(ts *gander.Toolset) (description string, err error) {
	switch {
	case !s.canConfine:
		return "none for this command", nil
	case s.noConfinement:
		return "none, because of --" + noConfinementFlag, nil
	case s.cmd.Context().Value(ownProcess{}) != true:
		return "none inside another program", nil
	}
	if err := confinement.Enforce((*toolset.Toolset)(ts).Confine()...); err != nil {
		return "", failed(fmt.Errorf("the kernel cannot confine gander: %w; use --%s to start without",
			err, noConfinementFlag))
	}
	return confinement.Describe(), nil
}
