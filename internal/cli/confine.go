package cli

import (
	"fmt"

	"gander/internal/confinement"
	"gander/internal/toolset"
)

const noConfinementFlag = "no-kernel-confinement"

// withConfinement adds the flag --no-kernel-confinement. Without it, confine does nothing.
func (s *source) withConfinement() *source {
	s.noConfinement = s.cmd.Flags().Bool(noConfinementFlag, false,
		"do not let the kernel confine gander to the roots")
	return s
}

// confine lets the kernel confine the process to the roots of ts, unless the user has refused it. It
// describes the confinement that is now in force, for the log.
func (s *source) confine(ts *toolset.Toolset) (description string, err error) {
	switch {
	case s.noConfinement == nil:
		return "none for this command", nil
	case *s.noConfinement:
		return "none, because of --" + noConfinementFlag, nil
	}
	if err := confinement.Enforce(ts.Confine()...); err != nil {
		return "", failed(fmt.Errorf("the kernel cannot confine gander: %w; use --%s to start without",
			err, noConfinementFlag))
	}
	return confinement.Describe(), nil
}
