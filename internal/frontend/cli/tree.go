package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/look"
	"gander/internal/frontend/terminal"
)

// A treeCmd is one run of tree.
type treeCmd struct {
	*view
	look.Options
	null, json bool

	above  string   // what stands before every raw path
	bars   []string // what is drawn below every directory on the way
	counts counts
}

func newTreeCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tree [DIR]",
		Short: "Draw a directory and what is below it",
		Long: `Draw a directory and what is below it, in the order of names, with totals and marks for what is cut. Hidden names are left
out. Without --root, the working directory is the root, and DIR itself where it lies elsewhere; nothing outside the root
is read.`,
		Example: `  gander tree -L 2
  gander tree /usr/share -d --limit 200
  gander tree src --gitignore -I 'testdata|*.pb.go'
  gander tree --as toolkit --stats`,
		Args: arguments(0, 1, "at most one directory"),
	}
	c := &treeCmd{view: newView(cmd, "entries")}
	flags := cmd.Flags()
	flags.IntVarP(&c.Depth, "level", "L", 0, "go `N` levels deep, 0 for all")
	flags.BoolVarP(&c.Directories, "dirs", "d", false, "show directories only")
	flags.BoolVarP(&c.Hidden, "all", "a", false, "show hidden names")
	flags.VarP(several{&c.Exclude}, "ignore", "I", "leave out names like `GLOB`; a|b; repeatable")
	flags.BoolVar(&c.Ignore, "gitignore", false, "leave out what .gitignore files ignore")
	flags.BoolVar(&c.Grouped, "dirsfirst", false, "show directories first")
	flags.BoolVarP(&c.json, "json", "J", false, "print JSON, as --as toolkit")
	flags.BoolVarP(&c.null, "null", "0", false, "print raw paths, each with a NUL at its end")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := c.check(); err != nil {
			return err
		}
		return c.run(one(args, "."), c.directory, c.body)
	}
	return cmd
}

// one returns the only argument, and otherwise absent.
func one(args []string, absent string) string {
	if len(args) == 0 {
		return absent
	}
	return args[0]
}

func (c *treeCmd) check() error {
	if c.Depth < 0 {
		return fmt.Errorf("-L is %d; give the number of levels, or leave it out", c.Depth)
	}
	if c.json {
		if c.null || c.as != "" && c.as != "toolkit" {
			return errors.New("--json is the JSON of toolkit/tree; leave out -0 and --as")
		}
		return nil
	}
	if c.null && c.as != "" {
		return errors.New("-0 prints paths, and --as what a model reads; choose one")
	}
	return c.checkAs()
}

func (c *treeCmd) body() error {
	if c.json || c.as != "" {
		return c.answer(c.equivalent())
	}
	o := c.Options
	o.Limit = c.limit
	if o.Depth == 0 {
		o.Depth = -1
	}
	entries, err := look.List(c.ctx, c.files, c.root, c.rel, o)
	if err != nil {
		return err
	}
	c.above = strings.TrimSuffix(path.Join(filepath.ToSlash(c.argument), "x"), "x") // joined once, for whatever is below
	begun := false
	for e, err := range entries {
		if e == (gander.Entry{}) {
			return err
		}
		if !begun {
			begun = true
			c.heading()
		}
		if errors.Is(err, look.ErrLimit) {
			c.counts.cut = true
		}
		if !c.draw(e, err) {
			return nil // said at the end
		}
	}
	if !begun {
		c.heading()
	}
	return c.total()
}

// heading writes the directory's own line.
func (c *treeCmd) heading() {
	if c.null {
		return
	}
	drawn := c.screen.Paint(c.screen.StyleOf(fs.ModeDir, c.argument), c.screen.Name(c.argument))
	c.write(c.screen.Link(drawn, c.root, c.rel), "\n")
}

// draw writes the line of an entry and reports whether to go on.
func (c *treeCmd) draw(e gander.Entry, err error) bool {
	end := "\n"
	switch {
	case c.null && c.counts.cut:
		return true
	case c.null:
		c.write(c.above, e.Path)
		end = "\x00"
	case c.counts.cut:
		c.branch(e.Depth, true)
		c.write(c.more())
	default:
		c.line(e, err)
	}
	_, err = c.out.WriteString(end) // or what was wrong before it
	return err == nil
}

func (c *treeCmd) write(drawn ...string) {
	for _, s := range drawn {
		_, _ = c.out.WriteString(s) // an error stays with the writer
	}
}

// more is the mark for what is not shown.
func (c *treeCmd) more() string { return c.screen.Paint(terminal.Dim, c.screen.Pick("…", "...")) }

// line writes an entry as it is drawn.
func (c *treeCmd) line(e gander.Entry, err error) {
	c.counts.add(e.Type())
	c.branch(e.Depth, e.Last)
	c.write(c.name(e))
	switch {
	case err != nil:
		c.counts.unreadable++
		c.write(" ", c.screen.Paint(terminal.Bad, "["+c.reason(err, path.Join(c.root, c.rel, e.Path))+"]"))
	case e.Type() == fs.ModeSymlink:
		c.write(c.target(e))
	case e.IsDir() && c.Depth > 0 && e.Depth == c.Depth:
		c.counts.unentered++
		c.write(" ", c.more())
	}
}

// branch writes what stands before an entry of that depth.
func (c *treeCmd) branch(depth int, last bool) {
	c.bars = c.bars[:depth-1]
	c.write(c.bars...)
	if last {
		c.write(c.screen.Pick("└── ", "`-- "))
		c.bars = append(c.bars, "    ")
	} else {
		c.write(c.screen.Pick("├── ", "|-- "))
		c.bars = append(c.bars, c.screen.Pick("│   ", "|   "))
	}
}

// name is the name of an entry as it is drawn.
func (v *view) name(e gander.Entry) string {
	name := e.Name()
	drawn := v.screen.Paint(v.screen.StyleOf(e.Type(), name), v.screen.Name(name))
	return v.screen.Link(drawn, v.root, v.rel, e.Path)
}

// target is where a symlink leads, as it is drawn.
func (v *view) target(e gander.Entry) string {
	target, err := e.Target()
	if err != nil {
		return ""
	}
	return v.screen.Paint(terminal.Dim, " -> ") + v.screen.Name(target)
}

// reason is what is wrong with the entry at a path, without the path.
func (v *view) reason(err error, at string) string {
	return v.screen.Name(strings.TrimPrefix(err.Error(), "cannot list "+at+": "))
}

// total writes the last line.
func (c *treeCmd) total() error {
	if !c.null {
		if _, err := fmt.Fprintf(c.out, "\n%s\n", c.counts.words(c.limit)); err != nil {
			return nil // said at the end
		}
	}
	if !c.counts.cut {
		return nil
	}
	by := fmt.Sprintf("the limit of %d entries", c.limit)
	if c.null && !c.fail {
		c.tell("%s is reached; --limit sets another", by)
	}
	return c.cut(by)
}
