package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/look"
)

// An lsCmd is one run of ls.
type lsCmd struct {
	*view
	look.Options
	long, json, null, one, reverse bool
	sort                           string

	rows []row
	more bool // there are entries that the limit leaves out
}

// A row is an entry and what the listing tells of it.
type row struct {
	gander.Entry
	info   fs.FileInfo // nil where it is not asked for, or cannot be had
	target string
}

func newLsCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ls [DIR]",
		Short: "List a directory",
		Long: `List a directory: its names in columns, with a mark after each that is no file: / directory, @ link, | other. Where the
output is no terminal, plain names, each on a line. Hidden names are left out. Without --root, the working directory is
the root, and DIR itself where it lies elsewhere.`,
		Example: `  gander ls -l --sort size
  gander ls -a /etc
  gander ls --json src
  gander ls --as gemini`,
		Args: arguments(0, 1, "at most one directory"),
	}
	c := &lsCmd{view: newView(cmd, "entries")}
	flags := cmd.Flags()
	flags.BoolVarP(&c.long, "long", "l", false, "show kind, size, age and link target")
	flags.BoolVarP(&c.Hidden, "all", "a", false, "show hidden names")
	flags.StringVar(&c.sort, "sort", "name", "sort by `KEY`: name, size, time or kind")
	flags.BoolVarP(&c.reverse, "reverse", "r", false, "reverse the order")
	flags.VarP(several{&c.Exclude}, "ignore", "I", "leave out names like `GLOB`; a|b; repeatable")
	flags.BoolVar(&c.Ignore, "gitignore", false, "leave out what .gitignore files ignore")
	flags.BoolVarP(&c.one, "oneline", "1", false, "show one name a line")
	flags.BoolVar(&c.json, "json", false, "print one JSON document")
	flags.BoolVarP(&c.null, "null", "0", false, "print raw names, each with a NUL at its end")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := c.check(); err != nil {
			return err
		}
		return c.run(one(args, "."), c.directory, c.body)
	}
	return cmd
}

func (c *lsCmd) check() error {
	if !slices.Contains([]string{"name", "size", "time", "kind"}, c.sort) {
		return fmt.Errorf("--sort is %q; it must be name, size, time or kind", c.sort)
	}
	forms := 0
	for _, chosen := range []bool{c.long, c.json, c.null, c.as != ""} {
		if chosen {
			forms++
		}
	}
	if forms > 1 {
		return errors.New("-l, --json, -0 and --as are different forms; choose one")
	}
	return c.checkAs()
}

func (c *lsCmd) body() error {
	if c.as != "" {
		return c.answer(c.equivalent())
	}
	if err := c.gather(); err != nil {
		return err
	}
	var err error
	switch {
	case c.json:
		err = c.document()
	case c.long:
		c.table()
	default:
		c.names()
	}
	if err != nil || !c.more {
		return err
	}
	by := fmt.Sprintf("the limit of %d entries", c.limit)
	if !c.fail && !c.json {
		c.tell("%s is reached; --limit sets another", by)
	}
	return c.cut(by)
}

// gather makes the rows, in their order.
func (c *lsCmd) gather() error {
	o := c.Options
	o.Grouped = c.sort == "kind"
	byName := c.sort == "name" || c.sort == "kind"
	if byName && !c.reverse {
		o.Limit = c.limit
	}
	entries, err := look.List(c.ctx, c.files, c.root, c.rel, o)
	if err != nil {
		return err
	}
	for e, err := range entries {
		switch {
		case errors.Is(err, look.ErrLimit):
			c.more = true
		case err != nil:
			return err
		default:
			c.add(e, !byName)
		}
	}
	c.sortRows()
	c.trim()
	if byName {
		for i := range c.rows {
			c.describe(&c.rows[i])
		}
	}
	c.targets()
	return nil
}

// add adds an entry. Of many it keeps no more than twice the limit, those that come first.
func (c *lsCmd) add(e gander.Entry, describe bool) {
	r := row{Entry: e}
	if describe {
		r.info, _ = e.Info()
	}
	c.rows = append(c.rows, r)
	if c.limit > 0 && len(c.rows) >= 2*c.limit+100 {
		c.sortRows()
		c.trim()
	}
}

func (c *lsCmd) trim() {
	if c.limit > 0 && len(c.rows) > c.limit {
		c.rows, c.more = c.rows[:c.limit], true
	}
}

// describe asks about an entry where its row is to tell.
func (c *lsCmd) describe(r *row) {
	if c.long || c.json {
		r.info, _ = r.Info()
	}
}

func (c *lsCmd) targets() {
	if !c.long && !c.json {
		return
	}
	for i := range c.rows {
		if r := &c.rows[i]; r.Type() == fs.ModeSymlink {
			r.target, _ = r.Target()
		}
	}
}

func (c *lsCmd) sortRows() {
	if c.sort == "name" && !c.reverse {
		return // as they came
	}
	slices.SortStableFunc(c.rows, func(a, b row) int {
		n := cmp.Or(c.compare(a, b), strings.Compare(a.Path, b.Path))
		if c.reverse {
			return -n
		}
		return n
	})
}

// compare compares by what is sorted by before the name. What is not known comes last.
func (c *lsCmd) compare(a, b row) int {
	switch {
	case c.sort == "name":
		return 0
	case c.sort == "kind":
		return rank(a.Type()) - rank(b.Type())
	case a.info == nil || b.info == nil:
		return known(b.info) - known(a.info)
	case c.sort == "size":
		return cmp.Compare(sizeOf(b), sizeOf(a))
	default:
		return b.info.ModTime().Compare(a.info.ModTime())
	}
}

func known(info fs.FileInfo) int {
	if info == nil {
		return 0
	}
	return 1
}

// sizeOf is a row's size; a directory's says nothing of what is in it.
func sizeOf(r row) int64 {
	if r.IsDir() {
		return -1
	}
	return r.info.Size()
}

// rank puts directories first, as the engine does.
func rank(kind fs.FileMode) int {
	if kind == fs.ModeDir {
		return 0
	}
	return 1
}
