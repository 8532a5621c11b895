package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/install"
)

// all adds the entry to every client on this machine, or removes it from every client that has it. scope is "" for the
// default of each client, and for removing, all of them. What fails for one client is reported and leaves the others.
func (i *installation) all(cmd *cobra.Command, scope install.Scope) error {
	if i.file != "" {
		return seeHelp(cmd, errors.New("--file is the file of one client; name the client"))
	}
	var clients []install.Client
	for _, c := range install.Clients() {
		if i.remove || c.IsInstalled(thisMachine()) {
			clients = append(clients, c)
		}
	}
	if len(clients) == 0 {
		return failure{errors.New("no client is found on this machine; 'gander install CLIENT' configures one all the same")}
	}
	if !i.remove {
		if err := i.check(); err != nil {
			return err
		}
		i.warnOfRoots(cmd)
	}
	changes, failed := 0, []string{}
	for _, c := range clients {
		for _, s := range i.scopes(c, scope) {
			change, err := i.plan(c, s)
			if err == nil && (!i.remove || !change.IsEmpty()) {
				err = i.finish(cmd, c, s, change)
			}
			if err != nil {
				printError(cmd, fmt.Errorf("%s: %w", c.Title, err))
				failed = append(failed, c.ID)
			} else if !change.IsEmpty() {
				changes++
			}
		}
	}
	switch {
	case len(failed) > 0:
		return failure{fmt.Errorf("not done for %s; see above", strings.Join(slices.Compact(failed), ", "))}
	case changes == 0 && i.remove:
		return write(cmd, fmt.Sprintf("no client has an entry %q\n", i.name))
	case changes > 0 && !i.write:
		cmd.PrintErrln("gander: nothing is written; --write makes these changes")
	}
	return nil
}

// scopes returns the scopes of a client that are to be changed: the one that is given if the client has it, or all that have
// an entry to remove, or the default.
func (i *installation) scopes(c install.Client, scope install.Scope) []install.Scope {
	switch {
	case scope != "":
		return slices.DeleteFunc(c.Scopes(), func(s install.Scope) bool { return s != scope })
	case i.remove:
		return c.Scopes()
	default:
		return c.Scopes()[:1]
	}
}
