package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"gander/internal/config"
)

func newConfigCmd() *cobra.Command {
	check := &cobra.Command{
		Use:     "check FILE",
		Short:   "Report the problems of a configuration file",
		Long:    "Report the problems of a configuration file, with line and column.",
		Example: "  gander config check gander.toml",
		Args:    arguments(1, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, err := (&source{cmd: cmd, config: args[0]}).open()
			if err != nil {
				return err
			}
			return ts.Close()
		},
	}
	create := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Print a configuration with every key, or write it to a new file",
		Long: `Print a configuration that sets every key to its default, or write it to FILE,
which must not exist.`,
		Example: `  gander config init
  gander config init gander.toml`,
		Args: arguments(0, 1, "at most one file"),
	}
	create.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return write(cmd, config.Example())
		}
		f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			_, err = f.WriteString(config.Example())
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return failure{fmt.Errorf("cannot write the configuration: %w", err)}
		}
		return nil
	}
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check or create a configuration file",
		Long: `Check or create a configuration file. gander reads only the file that --config
or GANDER_CONFIG names.`,
		Example: `  gander config init gander.toml
  gander config check gander.toml`,
		Args: cobra.NoArgs,
		RunE: showHelp,
	}
	cmd.AddCommand(check, create)
	return cmd
}
