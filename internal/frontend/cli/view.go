package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/terminal"
	"gander/internal/meter"
	"gander/tool"
)

// terminalLimit is how much a command for people shows on a terminal where nobody says how much: entries, or lines.
const terminalLimit = 1000

// A view is what the commands for people share: the flags, and what they come to once the command runs.
type view struct {
	*source
	color, hyperlink  string
	width, limit      int
	as, things        string // things are what the limit counts
	stats, fail, page bool

	cmd      *cobra.Command
	screen   *terminal.Screen
	out      *bufio.Writer
	pager    *pager
	spinner  *terminal.Spinner
	ctx      context.Context
	meter    *meter.Meter
	start    time.Time
	called   *tool.Record // the call of --as
	shown    int          // bytes written
	files    *gander.Toolset
	root     string // one of the toolset's
	rel      string // the argument, relative to root
	argument string // as it was given
}

func newView(cmd *cobra.Command, things string) *view {
	flags := cmd.Flags()
	v := &view{cmd: cmd, source: newSource(flags), things: things}
	flags.Var(several{&v.roots}, "root", "confine to `DIR`; repeatable")
	flags.StringVar(&v.color, "color", "auto", "colours `WHEN`: auto, always, never")
	flags.StringVar(&v.hyperlink, "hyperlink", "never", "links on names `WHEN`: auto, always, never")
	flags.Lookup("hyperlink").NoOptDefVal = "auto"
	flags.IntVar(&v.width, "width", -1, "draw in `COLUMNS`, 0 for any width")
	flags.IntVar(&v.limit, "limit", -1, fmt.Sprintf("show `N` %s, 0 for all (on a terminal %d)", things, terminalLimit))
	flags.BoolVar(&v.page, "pager", false, "page through $PAGER, on a terminal")
	flags.BoolVar(&v.fail, "fail-on-truncate", false, fmt.Sprintf("exit with %d where a limit cuts the output", exitTruncated))
	flags.StringVar(&v.as, "as", "", "print what a model reads, in `DIALECT`: "+strings.Join(dialects(), ", "))
	flags.BoolVar(&v.stats, "stats", false, "tell bytes, tokens, entries and time")
	for _, name := range []string{"limit", "width"} {
		flags.Lookup(name).DefValue = "0" // the help does not show it
	}
	return v
}

// run opens what the argument names, as find says, and has body write.
func (v *view) run(argument string, find func(string) error, body func() error) (err error) {
	v.start = time.Now()
	v.argument = argument
	v.ctx, v.meter = meter.New(v.cmd.Context())
	if v.screen, err = terminal.New(v.cmd.OutOrStdout(), v.options()); err != nil {
		return err
	}
	if v.limit < 0 && v.cmd.Flags().Changed("limit") {
		return fmt.Errorf("--limit is %d; give 0 for no limit, or a number of %s", v.limit, v.things)
	}
	if v.limit < 0 {
		if v.limit = 0; v.screen.Terminal && v.as == "" {
			v.limit = terminalLimit
		}
	}
	if err := find(argument); err != nil {
		return err
	}
	defer v.files.Close()
	if err := v.begin(); err != nil {
		return err
	}
	err = v.named(body())
	if ended := v.end(err); err == nil {
		return ended
	}
	return err
}

// named is an error with the argument as it was given, and with what may have been meant where there is nothing.
func (v *view) named(err error) error {
	var told *tool.Error
	if !errors.As(err, &told) {
		return err
	}
	own := *told
	if rest, ok := strings.CutPrefix(own.Message, "cannot list "+path.Join(v.root, v.rel)+": "); ok {
		own.Message = "cannot list " + v.argument + ": " + rest
	}
	if own.Kind != tool.NotFound || own.Err == nil {
		return &own
	}
	name := v.rel
	if filepath.IsAbs(v.argument) || strings.HasPrefix(v.argument, "..") {
		name = v.absolute()
	}
	return suggestPath(v.ctx, v.files, name, &own)
}

func (v *view) options() terminal.Options {
	return terminal.Options{Color: v.color, Hyperlink: v.hyperlink, Width: v.width, Getenv: os.Getenv}
}

// begin begins the output.
func (v *view) begin() error {
	var to io.Writer = v.cmd.OutOrStdout()
	if v.page && v.screen.Terminal {
		var err error
		if v.pager, err = startPager(v.ctx, os.Getenv, v.cmd.OutOrStdout(), v.cmd.ErrOrStderr()); err != nil {
			return err
		}
		to = v.pager
	}
	v.spinner = terminal.Spin(v.cmd.ErrOrStderr(), os.Getenv, func() string {
		if _, entries, _ := v.meter.Totals(); entries > 0 {
			return fmt.Sprintf("%d entries read", entries)
		}
		return "reading"
	})
	size := 64 << 10
	if v.screen.Terminal {
		size = 4 << 10 // the first lines are due at once
	}
	v.out = bufio.NewWriterSize(&data{v, to}, size)
	return nil
}

// data is the output; what a terminal shows and a spinner do not mix.
type data struct {
	view *view
	to   io.Writer
}

func (d *data) Write(p []byte) (int, error) {
	if d.view.screen.Terminal {
		d.view.spinner.Stop()
	}
	n, err := d.to.Write(p)
	d.view.shown += n
	return n, err
}

// end ends the output of a body that has returned err.
func (v *view) end(err error) error {
	flushed := v.out.Flush()
	v.spinner.Stop()
	if v.pager != nil {
		flushed = v.pager.end()
	}
	if flushed != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", flushed)}
	}
	if v.stats && err == nil {
		v.report()
	}
	return nil
}

// report writes the line of --stats.
func (v *view) report() {
	what, bytes, took := "shown", v.shown, time.Since(v.start)
	_, entries, _ := v.meter.Totals()
	if r := v.called; r != nil {
		what, bytes, entries, took = r.Tool.ID+" "+string(r.Call.Args), len(r.Result.Text()), r.Entries, r.Duration
	}
	v.tell("%s: %d bytes, about %d tokens (bytes/4), %d entries read, %.1f ms", what, bytes, (bytes+3)/4, entries, float64(took.Microseconds())/1000)
}

// tell writes a line about the output on standard error, below it.
func (v *view) tell(format string, args ...any) {
	_ = v.out.Flush() // an error is said at the end
	v.spinner.Stop()
	fmt.Fprintf(v.cmd.ErrOrStderr(), "gander: "+format+"\n", args...)
}

// cut tells that a limit has cut the output, and fails where it should.
func (v *view) cut(by string) error {
	if v.fail {
		return truncated{by}
	}
	return nil
}

// directory finds the directory that the argument names.
func (v *view) directory(argument string) error {
	dir, root, err := v.split(argument)
	if err != nil {
		return err
	}
	if root != "" {
		return v.open(root, dir)
	}
	if err := v.open(dir, dir); err == nil {
		return nil
	}
	return v.open(filepath.Dir(dir), dir) // what is wrong with the directory is said where it is listed
}

// file finds the file that the argument names.
func (v *view) file(argument string) error {
	file, root, err := v.split(argument)
	if err != nil {
		return err
	}
	if root == "" {
		root = filepath.Dir(file)
	}
	return v.open(root, file)
}

// split returns an argument as an absolute path, and the root that it lies in by its words; "" where it lies in none, so
// that one must be chosen.
func (v *view) split(argument string) (path, root string, err error) {
	if argument == "" {
		return "", "", errors.New("the path is empty; use . for the working directory")
	}
	roots := v.roots
	if len(roots) == 0 {
		roots = []string{"."}
	}
	for i, r := range roots {
		if r, err = filepath.Abs(r); err != nil {
			return "", "", fmt.Errorf("cannot find the working directory: %w", err)
		}
		if i == 0 && !filepath.IsAbs(argument) {
			argument = filepath.Join(r, argument)
		}
		if _, ok := within(argument, r); ok {
			return filepath.Clean(argument), r, nil
		}
		root = r
	}
	if len(v.roots) > 0 {
		return filepath.Clean(argument), root, nil // outside, as will be said
	}
	return filepath.Clean(argument), "", nil
}

// within returns path relative to root, and whether it lies there by its words.
func within(path, root string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	outside := err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
	return filepath.ToSlash(rel), !outside
}

// open opens the toolset, over root where no roots are given, for the argument, an absolute path.
func (v *view) open(root, argument string) error {
	src := *v.source
	if len(src.roots) == 0 {
		src.roots = []string{root}
	}
	src.observe = v.observe
	files, _, err := src.open()
	switch {
	case err == nil:
	case len(v.roots) > 0:
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &tool.Error{Kind: tool.NotFound, Message: "cannot open " + v.argument + ": no such file or directory", Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &tool.Error{Kind: tool.Denied, Message: "cannot open " + v.argument + ": permission denied", Err: err}
	default:
		return err
	}
	rel, inside := within(argument, root)
	if !inside {
		files.Close()
		return &tool.Error{Kind: tool.Outside, Message: v.argument + " is outside the roots; name its directory with --root"}
	}
	v.files, v.root, v.rel = files, root, rel
	return nil
}

// absolute is the absolute path of what the argument names.
func (v *view) absolute() string { return filepath.Join(v.root, v.rel) }
