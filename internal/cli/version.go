package cli

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of a release, which the linker sets. It is empty in any other build, and
// nothing writes to it.
var release string

// version returns the version of the release, or else the version of the main module.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func newVersionCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  gander version",
		Args:    arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return write(cmd, "gander "+version()+"\n")
		},
	}
}
