package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/plain"
	"gander/internal/search/match"
	"gander/internal/terminal"
	"gander/internal/toolset"
)

// A toolRun is a run of the command of a tool.
type toolRun struct {
	cmd     *cobra.Command
	tool    string // the ID
	args    map[string]any
	form    plain.Options
	quiet   bool
	forced  bool  // the form is not for a terminal
	colors  bool  // on a terminal
	failure error // the first error of a path
}

// run prints the results about paths: on a terminal what a model reads, and for other programs
// lines.
func (r *toolRun) run(ts *gander.Toolset, paths []string) error {
	defer showProgress(r.cmd, ts)()
	if len(paths) == 0 && r.readsInput() && isInput(r.cmd.InOrStdin()) {
		in := newInput(r.cmd, "text, because no path is given")
		defer in.report(r.quiet || r.tool == readTool)
		r.form.Input, paths = in, []string{"-"}
	} else if r.readsInput() && slices.Contains(paths, "-") {
		r.form.Input = newInput(r.cmd, "text")
	}
	r.forced = r.forced || r.form.Input != nil
	if len(paths) == 0 {
		paths = []string{""} // the first root
	}
	if r.forced || !terminal.Is(r.cmd.OutOrStdout()) {
		return r.print(ts, paths)
	}
	return r.show(ts, paths)
}

// readsInput reports whether the command accepts standard input instead of paths.
func (r *toolRun) readsInput() bool { return r.tool == readTool || r.tool == searchTool }

// print prints the results for another program.
func (r *toolRun) print(ts *gander.Toolset, paths []string) error {
	if r.args["numbers"] == true {
		r.form.Numbers = true
	}
	r.args["path"] = "" // the paths are given apart
	raw, err := json.Marshal(r.args)
	if err != nil {
		return err
	}
	if terminal.Is(r.cmd.OutOrStdout()) { // which escapes codes of colors
		r.form.Color = false
	}
	signal.Ignore(syscall.SIGPIPE) // a write then fails with EPIPE
	out := plain.New(r.cmd.OutOrStdout(), r.form, r.fail)
	err = (*toolset.Toolset)(ts).Print(r.cmd.Context(), r.tool, raw, paths, out)
	if r.cmd.Context().Err() != nil {
		return r.cmd.Context().Err()
	}
	err = cmp.Or(err, out.Close())
	switch {
	case errors.Is(err, syscall.EPIPE): // nobody reads the rest
		return nil
	case errors.Is(err, plain.ErrWrite):
		return failure{err}
	case err != nil:
		return r.pathError(err)
	}
	if out.Note != "" && !r.quiet {
		r.cmd.PrintErrln("gander: " + terminal.Line(out.Note))
	}
	return r.status(out.Found, out.Failed)
}

// fail prints the error of a path.
func (r *toolRun) fail(err error) {
	r.failure = cmp.Or(r.failure, err)
	printError(r.cmd, r.pathError(err))
}

func (r *toolRun) pathError(err error) error {
	if exitCode(err) == exitOutside {
		return fmt.Errorf("%w; --root adds a directory", err)
	}
	return err
}

// status returns the exit status of a run whose errors have been printed.
func (r *toolRun) status(found, failed bool) error {
	switch {
	case failed && r.tool == searchTool:
		return exitStatus(exitUsage) // as grep and rg do
	case failed && !found && r.failure != nil:
		return exitStatus(exitCode(r.failure))
	case failed || !found:
		return exitStatus(exitFailed)
	default:
		return nil
	}
}

const (
	readTool   = "gander/read_file"
	searchTool = "gander/search_text"
	// maxPaths is the maximum number of paths in one call.
	maxPaths = 50
)

// show prints what a model reads.
func (r *toolRun) show(ts *gander.Toolset, paths []string) error {
	found, failed := false, false
	for batch := range slices.Chunk(paths, maxPaths) {
		// The tools read one path per line. No path has a NUL byte.
		escaped := strings.ReplaceAll(strings.Join(batch, "\x00"), "\n", `\n`)
		r.args["path"] = strings.ReplaceAll(escaped, "\x00", "\n")
		raw, err := json.Marshal(r.args)
		if err != nil {
			return err
		}
		result, err := ts.Call(r.cmd.Context(), r.tool, raw)
		if err != nil {
			r.fail(err)
			failed = true
			continue
		}
		found = found || !result.NothingFound
		failed = failed || result.Unreadable
		text := strings.TrimSuffix(result.Text(), "\n") + "\n"
		if err := terminal.WriteStyled(r.cmd.OutOrStdout(), text, r.style); err != nil {
			return failure{fmt.Errorf("cannot write the result: %w", err)}
		}
	}
	return r.status(found, failed)
}

// style colors a result for a terminal, if colors are wanted and it has matches.
func (r *toolRun) style(result string) string {
	output := r.args["output"]
	pattern, _ := r.args["pattern"].(string)
	if !r.colors || r.tool != searchTool || output == "files" || output == "counts" {
		return result
	}
	return plain.Highlight(r.cmd.Context(), result, pattern, match.Options{
		Literal: r.args["literal"] == true, IgnoreCase: r.args["ignore_case"] == true, CRLF: true,
	})
}

// showProgress shows how many files a command has opened and how much it has read, if it takes more
// than a second and both streams are a person's. The returned function clears the line.
func showProgress(cmd *cobra.Command, ts *gander.Toolset) (end func()) {
	if !terminal.Is(cmd.ErrOrStderr()) || isPipe(cmd.OutOrStdout()) {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		activity := (*toolset.Toolset)(ts).Activity()
		clearLine := ""
		for wait := time.Second; ; wait = time.Second / 4 {
			select {
			case <-stop:
				_, _ = io.WriteString(cmd.ErrOrStderr(), clearLine)
				return
			case <-time.After(wait):
			}
			clearLine = "\r\x1b[K"
			cmd.PrintErrf("%s%d files, %d MB", clearLine, activity.Files.Load(), activity.Bytes.Load()>>20)
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

// isPipe reports whether a stream is a pipe or a socket.
func isPipe(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
