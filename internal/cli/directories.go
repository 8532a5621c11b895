package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// withDirectories uses the arguments of a command as its roots, as the official filesystem server
// does. It expands a leading "~", because clients start servers without a shell, and skips
// non-directories with a warning. If none remains, it returns an error.
func (s *source) withDirectories(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.Flags().Changed("root") {
		err := errors.New("directories are given as arguments and with --root; give them in one way")
		return seeHelp(cmd, err)
	}
	s.roots = nil
	for _, arg := range args {
		dir, err := filepath.Abs(expandHome(arg))
		if err != nil {
			return failure{err}
		}
		fi, err := os.Stat(dir)
		switch {
		case err != nil:
			cmd.PrintErrf("Warning: Cannot access directory %s, skipping\n", dir)
		case !fi.IsDir():
			cmd.PrintErrf("Warning: %s is not a directory, skipping\n", dir)
		default:
			s.roots = append(s.roots, dir)
		}
	}
	if len(s.roots) == 0 {
		cmd.PrintErrln("Error: None of the specified directories are accessible")
		return failure{errors.New("no directory is left to serve")}
	}
	return nil
}

// expandHome expands a leading "~" to the home directory.
func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
