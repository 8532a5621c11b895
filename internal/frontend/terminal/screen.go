// Package screen knows the terminal, or whatever stands in its place: whether it shows colours, how wide it is and how wide
// a text is on it, which characters it can draw, and how a name is written so that it cannot steer it. It knows no
// command and no file.
package terminal

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// Options are what the user says of the screen. The words are "auto", "always" and "never"; "" is "auto" for Color and
// "never" for Hyperlink.
type Options struct {
	Color, Hyperlink string
	// Width is in columns; negative means that of the terminal, and 0 no limit.
	Width int
	// Getenv is [os.Getenv], or stands for it.
	Getenv func(string) string
}

// A Screen is where a command writes its data. It never changes.
type Screen struct {
	// Terminal says that a person looks at it now.
	Terminal bool
	// Color says that colours are wanted.
	Color bool
	// Unicode says that it shows more than ASCII.
	Unicode bool
	// Width is in columns; 0 is any width.
	Width int

	links  bool
	host   string
	styles *Styles
}

// New returns the screen that out is. An option that is none of its words is an error.
func New(out io.Writer, o Options) (*Screen, error) {
	for _, option := range []struct{ name, word string }{{"--color", o.Color}, {"--hyperlink", o.Hyperlink}} {
		switch option.word {
		case "", "auto", "always", "never":
		default:
			return nil, fmt.Errorf("%s is %q; it must be auto, always or never", option.name, option.word)
		}
	}
	f, terminal := Terminal(out)
	s := &Screen{
		Terminal: terminal,
		Color:    colored(o.Color, terminal, o.Getenv),
		Unicode:  unicodeLocale(o.Getenv),
		Width:    o.Width,
		links:    o.Hyperlink == "always" || o.Hyperlink == "auto" && terminal && o.Getenv("TERM") != "dumb",
	}
	if s.Width < 0 {
		s.Width = widthOf(f, o.Getenv)
	}
	if s.Color {
		s.styles = ParseStyles(o.Getenv("LS_COLORS"))
	}
	if s.links {
		s.host, _ = os.Hostname() // a link without a host is one to this machine
	}
	return s, nil
}

// Terminal returns the file that w is, and whether it is a terminal.
func Terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// colored decides as no-color.org and the conventions around CLICOLOR do; what the command line says has the last word.
func colored(word string, terminal bool, getenv func(string) string) bool {
	forced := func(name string) bool { v := getenv(name); return v != "" && v != "0" }
	switch {
	case word == "always" || word == "never":
		return word == "always"
	case getenv("NO_COLOR") != "":
		return false
	case forced("CLICOLOR_FORCE") || forced("FORCE_COLOR"):
		return true
	default:
		return terminal && getenv("TERM") != "dumb" && getenv("CLICOLOR") != "0"
	}
}

// unicodeLocale reports whether the locale's character set is UTF-8. On Windows, where no locale says, it is.
func unicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			_, charset, _ := strings.Cut(strings.ToLower(v), ".")
			charset, _, _ = strings.Cut(charset, "@")
			return charset == "utf-8" || charset == "utf8"
		}
	}
	return runtime.GOOS == "windows"
}

// widthOf is how wide f is, and no limit where it is no terminal.
func widthOf(f *os.File, getenv func(string) string) int {
	if f == nil || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		return width
	}
	if width, err := strconv.Atoi(getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return 80
}
