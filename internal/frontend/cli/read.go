package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/engine/fsys"
	"gander/internal/engine/text"
	"gander/internal/frontend/document"
	"gander/internal/frontend/syntax"
	"gander/tool"
)

// mostAround is how many lines a block has at most where no limit is set, as in codex/read_file.
const mostAround = 2000

// A readCmd is one run of read.
type readCmd struct {
	*view
	encoding       string
	around, levels int
	plain, json    bool

	first, last int // 0 where nothing is said
	document    *document.Document
	highlighter *syntax.Highlighter
	digits      int
	lines       []jsonLine
}

type jsonLine struct {
	Number int    `json:"number"`
	Text   string `json:"text"`
}

func newReadCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "read FILE[:LINE[-LINE]]",
		Short: "Print lines of a file with their numbers",
		Long: `Print lines of a file with their numbers: all, one, or from one to another (FILE:12-20, FILE:12- for all from there on).
--around prints the block around a line by its indentation, as codex/read_file finds it. UTF-8, and UTF-16 and UTF-32 with
a byte order mark, are read as they are. A file that is no text is described. Without --root, the working directory is
the root, and the file's directory where it lies elsewhere.`,
		Example: `  gander read main.go
  gander read main.go:120-160
  gander read main.go --around 133
  gander read --encoding windows-1252 README.TXT
  gander read main.go:1-50 --as codex --stats`,
		Args: arguments(1, 1, "one file"),
	}
	c := &readCmd{view: newView(cmd, "lines")}
	flags := cmd.Flags()
	flags.IntVar(&c.around, "around", 0, "print the indented block around line `N`")
	flags.IntVar(&c.levels, "levels", 4, "with --around, go `N` levels up, 0 for all")
	flags.StringVar(&c.encoding, "encoding", "", "decode from `NAME`, such as windows-1252")
	flags.BoolVarP(&c.plain, "plain", "p", false, "print no line numbers")
	flags.BoolVar(&c.json, "json", false, "print one JSON document")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := c.check(); err != nil {
			return err
		}
		return c.run(args[0], c.find, c.body)
	}
	return cmd
}

func (c *readCmd) check() error {
	switch {
	case c.as != "" && c.as != "codex" && c.checkAs() == nil:
		return fmt.Errorf("the dialect %s has no tool that reads files; codex has", c.as)
	case c.as != "" && c.json:
		return errors.New("--json and --as are different forms; choose one")
	case c.cmd.Flags().Changed("around") && c.around < 1:
		return fmt.Errorf("--around is %d; lines are numbered from 1", c.around)
	case c.levels < 0:
		return fmt.Errorf("--levels is %d; give 0 for all, or a number of levels", c.levels)
	}
	return c.checkAs()
}

// find finds the file of the argument. Where there is none of that very name, what follows its last colon may be lines.
func (c *readCmd) find(argument string) error {
	file, span := argument, ""
	if m := regexp.MustCompile(`^(.+):(\d{1,18}(?:-\d{0,18})?)$`).FindStringSubmatch(argument); m != nil {
		file, span = m[1], m[2]
	}
	if span != "" {
		if c.view.file(argument) == nil {
			if fsys, err := c.files.FS(c.root); err == nil {
				if _, err := fs.Stat(fsys, c.rel); err == nil {
					return nil
				}
			}
			c.files.Close()
		}
		if err := c.lineSpan(span); err != nil {
			return err
		}
	}
	return c.view.file(file)
}

// lineSpan takes the lines that the argument names.
func (c *readCmd) lineSpan(span string) error {
	first, last, open := strings.Cut(span, "-")
	c.first, _ = strconv.Atoi(first)
	c.last, _ = strconv.Atoi(last)
	if !open {
		c.last = c.first
	}
	switch {
	case c.first < 1 || last != "" && c.last < c.first:
		return fmt.Errorf("%q are no lines; they are numbered from 1, as in FILE:12-20", span)
	case c.around > 0:
		return errors.New("--around says which lines; leave out those behind the file's name")
	}
	return nil
}

func (c *readCmd) body() error {
	if c.as != "" {
		return c.answer(c.equivalent())
	}
	err := c.read()
	if err == nil {
		return nil
	}
	var told *tool.Error
	if errors.As(err, &told) || errors.As(err, new(failure)) || errors.As(err, new(truncated)) || c.ctx.Err() != nil {
		return err
	}
	return fileError(c.argument, err)
}

// fileError is the error of a file of the argument.
func fileError(name string, err error) error {
	kind, words := fsys.Failure(err)
	if errors.Is(err, fs.ErrInvalid) {
		kind, words = tool.BadArguments, "a path must be UTF-8 without NUL"
	}
	return &tool.Error{Kind: kind, Message: "cannot read " + name + ": " + words, Err: err}
}

func (c *readCmd) read() error {
	fsys, err := c.files.FS(c.root)
	if err != nil {
		return err
	}
	file, err := fsys.Open(c.rel)
	if err != nil {
		return err
	}
	defer file.Close()
	if c.document, err = document.Open(file, c.encoding); err != nil {
		return err
	}
	if c.document.Binary() {
		return c.describe()
	}
	if err := c.choose(); err != nil {
		return err
	}
	cut, err := c.print()
	if err != nil {
		return err
	}
	cut = cut || c.around > 0 && c.last-c.first+1 >= c.limit
	if c.json {
		if err := c.encode(c.answerJSON(cut)); err != nil {
			return err
		}
	}
	if !cut {
		return nil
	}
	by := fmt.Sprintf("the limit of %d lines", c.limit)
	switch {
	case c.fail || c.json:
	case c.around > 0:
		c.tell("%s is reached; --limit sets another", by)
	default:
		c.tell("%s is reached; line %d is next, --limit sets another", by, c.first+c.limit)
	}
	return c.cut(by)
}

// describe says what a file is that is no text.
func (c *readCmd) describe() error {
	d := c.document
	if c.json {
		return c.encode(struct {
			Path string `json:"path"`
			Type string `json:"type"`
			Size int64  `json:"size"`
		}{text.Lossy([]byte(c.argument)), d.Type, d.Size})
	}
	_, _ = fmt.Fprintf(c.out, "%s: no text, but %s, %d bytes\n", c.screen.Name(c.argument), d.Type, d.Size) // an error is said at the end
	return nil
}

// choose settles which lines are printed.
func (c *readCmd) choose() error {
	if c.around > 0 {
		if c.limit == 0 {
			c.limit = mostAround
		}
		var err error
		c.first, c.last, err = c.document.Around(c.ctx, c.around, c.levels, c.limit)
		if err == io.EOF {
			return &tool.Error{Kind: tool.NotFound, Message: fmt.Sprintf("%s has no line %d", c.argument, c.around)}
		}
		if err != nil {
			return err
		}
	}
	c.first = max(c.first, 1)
	c.digits = 6
	if c.last > 0 {
		c.digits = max(3, len(strconv.Itoa(c.last)))
	}
	return nil
}
