package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func completeValues(cmd *cobra.Command, flag string, values ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	// It fails only if the flag has completions already.
	_ = cmd.RegisterFlagCompletionFunc(flag, complete)
}

func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return seeHelp(cmd, err)
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if len(name) > 1 { // a letter is similar to too much
		err = didYouMean(err, "--", suggest(name, names))
	}
	return seeHelp(cmd, err)
}
