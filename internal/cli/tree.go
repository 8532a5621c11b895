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
	"gander/internal/look"
	"gander/internal/screen"
)

// A treeCmd is one run of tree.
type treeCmd struct {
	*view
	look.Options
	null, json bool

	bars   []bool // for every directory on the way, whether more of its entries follow
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
	fmt.Fprintln(c.out, c.screen.Link(c.absolute(""), drawn))
}

func (v *view) absolute(rel string) string {
	return filepath.Join(v.root, filepath.FromSlash(v.rel), filepath.FromSlash(rel))
}

// draw writes the line of an entry and reports whether to go on.
func (c *treeCmd) draw(e gander.Entry, err error) bool {
	var line string
	switch {
	case c.null && c.counts.cut:
	case c.null:
		line = path.Join(filepath.ToSlash(c.argument), e.Path) + "\x00"
	case c.counts.cut:
		line = c.branch(e.Depth, true) + c.more() + "\n"
	default:
		line = c.line(e, err) + "\n"
	}
	_, err = c.out.WriteString(line)
	return err == nil
}

// more is the mark for what is not shown.
func (c *treeCmd) more() string { return c.screen.Paint(screen.Dim, c.screen.Pick("…", "...")) }

// line is an entry as it is drawn.
func (c *treeCmd) line(e gander.Entry, err error) string {
	c.counts.add(e.Type())
	line := c.branch(e.Depth, e.Last) + c.name(e)
	switch {
	case err != nil:
		c.counts.unreadable++
		line += " " + c.screen.Paint(screen.Bad, "["+c.reason(err, path.Join(c.root, c.rel, e.Path))+"]")
	case e.Type() == fs.ModeSymlink:
		line += c.target(e)
	case e.IsDir() && c.Depth > 0 && e.Depth == c.Depth:
		c.counts.unentered++
		line += " " + c.more()
	}
	return line
}

// branch is what stands before an entry of that depth.
func (c *treeCmd) branch(depth int, last bool) string {
	c.bars = append(c.bars[:depth-1], !last)
	var b strings.Builder
	for _, bar := range c.bars[:depth-1] {
		if bar {
			b.WriteString(c.screen.Pick("│   ", "|   "))
		} else {
			b.WriteString("    ")
		}
	}
	if last {
		b.WriteString(c.screen.Pick("└── ", "`-- "))
	} else {
		b.WriteString(c.screen.Pick("├── ", "|-- "))
	}
	return b.String()
}

// name is the name of an entry as it is drawn.
func (v *view) name(e gander.Entry) string {
	name := e.Name()
	drawn := v.screen.Paint(v.screen.StyleOf(e.Type(), name), v.screen.Name(name))
	return v.screen.Link(v.absolute(e.Path), drawn)
}

// target is where a symlink leads, as it is drawn.
func (v *view) target(e gander.Entry) string {
	target, err := e.Target()
	if err != nil {
		return ""
	}
	return v.screen.Paint(screen.Dim, " -> ") + v.screen.Name(target)
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
