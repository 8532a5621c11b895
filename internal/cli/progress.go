package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
	"gander/internal/toolset"
)

// showProgress shows how many files a command has opened and how much it has read, if it takes more
// than a second and both streams are a person's. The returned function clears the line.
func showProgress(cmd *cobra.Command, ts *toolset.Toolset) (end func()) {
	status, ok := cmd.ErrOrStderr().(*terminal.StatusWriter)
	if !ok || !terminal.Is(status) || isPipe(cmd.OutOrStdout()) {
		return func() {}
	}
	stop := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		activity := ts.Activity()
		for wait := time.Second; ; wait = time.Second / 4 {
			select {
			case <-stop:
				status.Clear()
				return
			case <-time.After(wait):
			}
			status.Show(fmt.Sprintf("%d files, %d MB", activity.Files.Load(), activity.Bytes.Load()>>20))
		}
	})
	return func() {
		close(stop)
		shown.Wait()
	}
}
