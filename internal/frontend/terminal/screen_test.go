package terminal

import (
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// env stands for the environment.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value
			}
		}
		return ""
	}
}

func TestColored(t *testing.T) {
	for _, tt := range []struct {
		word     string
		terminal bool
		env      []string
		want     bool
	}{
		{"auto", true, []string{"TERM=xterm"}, true},
		{"", true, []string{"TERM=xterm"}, true},
		{"auto", true, []string{"TERM=dumb"}, false},
		{"auto", false, nil, false},
		{"auto", true, []string{"NO_COLOR=1"}, false},
		{"auto", true, []string{"NO_COLOR="}, true},
		{"auto", false, []string{"CLICOLOR_FORCE=1"}, true},
		{"auto", false, []string{"CLICOLOR_FORCE=0"}, false},
		{"auto", false, []string{"FORCE_COLOR=1"}, true},
		{"auto", true, []string{"CLICOLOR=0"}, false},
		{"auto", true, []string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}, false},
		{"always", false, []string{"NO_COLOR=1"}, true},
		{"never", true, []string{"CLICOLOR_FORCE=1"}, false},
	} {
		if got := colored(tt.word, tt.terminal, env(tt.env...)); got != tt.want {
			t.Errorf("--color %s, terminal %v, %v: got %v", tt.word, tt.terminal, tt.env, got)
		}
	}
}

func TestUnicodeLocale(t *testing.T) {
	for locale, want := range map[string]bool{
		"LC_ALL=C.UTF-8": true, "LANG=de_DE.utf8@euro": true, "LC_CTYPE=UTF-8": false, "LANG=en_US.ISO-8859-1": false, "LANG=C": false,
		"LC_ALL=POSIX": false,
	} {
		if got := unicodeLocale(env(locale)); got != want {
			t.Errorf("%s: got %v", locale, got)
		}
	}
	if unicodeLocale(env("LC_ALL=C", "LANG=C.UTF-8")) || !unicodeLocale(env("LC_ALL=", "LC_CTYPE=C.UTF-8", "LANG=C")) {
		t.Error("the first that says something counts")
	}
}

// TestWidth has what ordinary terminals show.
func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"abc": 3, "é": 1, "e\u0301": 1, "漢字": 4, "한": 2, "ｶ": 1, "😀": 2, "👩‍👩‍👧": 2, "👍🏽": 2, "🇫🇷": 2, "❤️": 2, "…": 1, "├── ": 4, "": 0,
	} {
		if got := Width(s); got != want {
			t.Errorf("%q is %d columns wide, want %d", s, got, want)
		}
	}
}

func TestName(t *testing.T) {
	wide, ascii := &Screen{Unicode: true}, &Screen{}
	for _, tt := range []struct{ raw, wide, ascii string }{
		{"plain name", "plain name", "plain name"},
		{"é漢", "é漢", `\u00e9\u6f22`},
		{"😀", "😀", `\U0001f600`},
		{"a\nb\tc", `a\nb\tc`, `a\nb\tc`},
		{"\x1b[31m", `\u001b[31m`, `\u001b[31m`},
		{"a\u202eb", `a\u202eb`, `a\u202eb`},
		{"a\u200bb", `a\u200bb`, `a\u200bb`},
		{"\xff\xc3", `\xff\xc3`, `\xff\xc3`},
		{"\ufffd", "\ufffd", `\ufffd`},
	} {
		if got := wide.Name(tt.raw); got != tt.wide {
			t.Errorf("%q: got %s, want %s", tt.raw, got, tt.wide)
		}
		if got := ascii.Name(tt.raw); got != tt.ascii {
			t.Errorf("%q in ASCII: got %s, want %s", tt.raw, got, tt.ascii)
		}
	}
}

// FuzzDrawn: whatever a name or a line holds, what is drawn is one line that steers nothing.
func FuzzDrawn(f *testing.F) {
	f.Add("a\x1b]0;title\x07\u202e\u2028\xff\U000e0041\u0085", true)
	f.Fuzz(func(t *testing.T, raw string, wide bool) {
		s := &Screen{Unicode: wide}
		for _, drawn := range []string{s.Name(raw), strings.ReplaceAll(s.Text(raw), "\t", "")} {
			if !utf8.ValidString(drawn) {
				t.Fatalf("%q is drawn as %q", raw, drawn)
			}
			for _, r := range drawn {
				if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || !wide && r > '~' {
					t.Fatalf("%q is drawn as %q, with %q", raw, drawn, r)
				}
			}
		}
	})
}

func TestStyles(t *testing.T) {
	s := &Screen{Color: true, styles: ParseStyles("di=01;35:fi=37:*.tar.gz=31:*.gz=32:ln=target:pi=\x1b[0m:*.md=00:*README=4:nonsense:=1:*=7")}
	for _, tt := range []struct {
		kind fs.FileMode
		name string
		want string
	}{
		{fs.ModeDir, "d.gz", "\x1b[01;35md.gz\x1b[0m"},
		{0, "a", "\x1b[37ma\x1b[0m"},
		{0, "A.GZ", "\x1b[32mA.GZ\x1b[0m"},
		{0, "a.tar.gz", "\x1b[32ma.tar.gz\x1b[0m"},
		{0, "a.md", "a.md"},
		{0, "README", "\x1b[4mREADME\x1b[0m"},
		{fs.ModeSymlink, "l", "\x1b[01;36ml\x1b[0m"},
		{fs.ModeIrregular, "p", "\x1b[33mp\x1b[0m"},
	} {
		if got := s.Paint(s.StyleOf(tt.kind, tt.name), tt.name); got != tt.want {
			t.Errorf("%v %s: got %q, want %q", tt.kind, tt.name, got, tt.want)
		}
	}
	if plain := (&Screen{}); plain.Paint(plain.StyleOf(fs.ModeDir, "d"), "d") != "d" {
		t.Error("there is colour where none is wanted")
	}
}

func TestLink(t *testing.T) {
	s := &Screen{links: true, host: "box"}
	if got, want := s.Link("x", "/a b", "%\x1b"), "\x1b]8;;file://box/a%20b/%25%1B\x1b\\x\x1b]8;;\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, s := range []*Screen{s, {}} {
		if got := s.Link("x", "relative"); got != "x" {
			t.Errorf("got %q", got)
		}
	}
}

// TestColumns: every cell is there, in order from top to bottom, no line is wider than the screen, and one column more
// would not fit.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s := &Screen{Width: 1 + r.IntN(60)}
		cells := make([]Cell, r.IntN(30))
		widest := 0
		for i := range cells {
			cells[i] = Cell{strings.Repeat(string(rune('a'+i%26)), 1+r.IntN(15)), 0}
			cells[i].Width = len(cells[i].Drawn)
			widest = max(widest, cells[i].Width)
		}
		out := s.Columns(cells)
		widths := s.fit(cells)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		for i, c := range cells {
			if fields := strings.Fields(lines[i%len(lines)]); fields[i/len(lines)] != c.Drawn {
				t.Fatalf("cell %d is not in its place:\n%s", i, out)
			}
		}
		for _, line := range lines {
			if len(line) > max(s.Width, widest) {
				t.Fatalf("a line of %d columns on a screen of %d:\n%s", len(line), s.Width, out)
			}
		}
		if more := len(widths) + 1; len(cells) > 0 && more <= len(cells) && ceil(len(cells), ceil(len(cells), more)) == more {
			if total := totalOf(cells, more); total <= s.Width {
				t.Fatalf("%d columns take %d of %d, and there are %d:\n%s", more, total, s.Width, len(widths), out)
			}
		}
	}
}

// totalOf is how wide so many columns are.
func totalOf(cells []Cell, columns int) int {
	rows := ceil(len(cells), columns)
	total := -gap
	for first := 0; first < len(cells); first += rows {
		widest := 0
		for _, c := range cells[first:min(first+rows, len(cells))] {
			widest = max(widest, c.Width)
		}
		total += widest + gap
	}
	return total
}

func TestCut(t *testing.T) {
	wide, ascii := &Screen{Unicode: true}, &Screen{}
	for _, tt := range []struct {
		width       int
		wide, ascii string
	}{{9, "漢字 text", "漢字 text"}, {8, "漢字 te…", "漢字 ..."}, {3, "漢…", "..."}} {
		if got := wide.Cut("漢字 text", tt.width); got != tt.wide {
			t.Errorf("%d: got %q", tt.width, got)
		}
		if got := ascii.Cut("漢字 text", tt.width); got != tt.ascii {
			t.Errorf("%d in ASCII: got %q", tt.width, got)
		}
	}
}

func TestNew(t *testing.T) {
	s, err := New(io.Discard, Options{Color: "auto", Hyperlink: "auto", Width: -1, Getenv: env("LANG=C.UTF-8", "TERM=xterm")})
	if err != nil || s.Terminal || s.Color || !s.Unicode || s.Width != 0 || s.links {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, o := range []Options{{Color: "red", Getenv: env()}, {Hyperlink: "x", Getenv: env()}} {
		if _, err := New(io.Discard, o); err == nil || !strings.Contains(err.Error(), "it must be auto, always or never") {
			t.Errorf("%+v: got %v", o, err)
		}
	}
	if Spin(io.Discard, env("TERM=xterm"), func() string { return "" }) != nil {
		t.Error("there is a spinner where there is no terminal")
	}
	(*Spinner)(nil).Stop()
}
