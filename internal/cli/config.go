package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"gander/internal/config"
)

func newConfigCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check or create a configuration file",
		Long: `Check or create a configuration file. gander reads only the file that --config
or GANDER_CONFIG names.`,
		Example: `  gander config init gander.toml
  gander config check gander.toml`,
		RunE: noCommand,
	}
	cmd.AddCommand(newConfigCheckCmd(), newConfigInitCmd())
	return cmd
}

func newConfigCheckCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "check FILE",
		Short:   "Report the problems of a configuration file",
		Long:    "Report the problems of a configuration file, with line and column.",
		Example: "  gander config check gander.toml",
		Args:    arguments(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s := &source{cmd: cmd, config: args[0]}
			o, problems := s.load()
			if len(problems) == 0 {
				ts, err := s.openWith(o)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				return ts.Close()
			}
			last := len(problems) - 1
			for _, err := range problems[:last] {
				printError(cmd, err)
			}
			return problems[last]
		},
	}
}

func newConfigInitCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Print a configuration with every key, or write it to a new file",
		Long: `Print a configuration that sets every key to its default, or write it to FILE,
which must not exist.`,
		Example: `  gander config init
  gander config init gander.toml`,
		Args: arguments(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return write(cmd, config.Example())
			}
			if err := writeNew(args[0], config.Example()); err != nil {
				return failure{fmt.Errorf("cannot write the configuration: %w", err)}
			}
			return nil
		},
	}
}

// writeNew writes data to a file that must not exist.
func writeNew(name, data string) error {
	f, err := os.OpenFile(filepath.Clean(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(data)
	return errors.Join(err, f.Close())
}
