package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"gander/internal/install"
	"gander/internal/terminal"
)

// checkReplace returns an error if --replace is given without a client, or with flags that it leaves nothing to do.
func (i *installation) checkReplace(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return seeHelp(cmd, errors.New("--replace rewrites an entry of one client; name the client"))
	}
	for _, flag := range []string{"root", "tools", "name", "remove"} {
		if f := cmd.Flags().Lookup(flag); f.Changed && variableOf(f) == "" {
			return seeHelp(cmd, errors.New("--replace keeps the name and the directories of the entry, and gives it its tools; it does not go with --"+flag))
		}
	}
	return nil
}

// offerReplacement tells of entries that --replace can rewrite, of one client or, if id is "", of all.
func (i *installation) offerReplacement(cmd *cobra.Command, id string) {
	dir, err := os.Getwd()
	if err != nil || i.file != "" {
		return
	}
	for _, e := range install.FindOfficial(thisMachine(), dir) {
		if id == "" || id == e.Client.ID {
			cmd.PrintErrf("gander: %s starts the official filesystem server as %q; 'gander install %s --scope %s --replace %s' makes gander take its place\n",
				terminal.Line(e.Path), e.Name, e.Client.ID, e.Scope, terminal.Line(e.Name))
		}
	}
}
