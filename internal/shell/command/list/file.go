package list

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
)

// sampled is how much of a file the command file looks at, in bytes.
const sampled = 1 << 20

func prepareFile(a command.Arguments) (command.Run, error) {
	if len(a.Operands) == 0 {
		return nil, command.UsageError("missing operand")
	}
	widest := 0
	for _, name := range a.Operands {
		widest = max(widest, utf8.RuneCountInString(name))
	}
	return func(ctx context.Context, c *command.Call) int {
		c.Account.Grab(sampled)
		sample := make([]byte, sampled)
		for _, name := range a.Operands {
			text := fileText(ctx, c, name, a.Has("-L"), sample)
			if !a.Has("-b") {
				padding := strings.Repeat(" ", widest-utf8.RuneCountInString(name))
				if a.Has("-N") {
					padding = ""
				}
				text = name + ": " + padding + text
			}
			c.Out.Line([]byte(text))
		}
		return 0
	}, nil
}

// fileText says what a path names.
func fileText(
	ctx context.Context, c *command.Call, name string, follow bool, sample []byte,
) string {
	if name == "-" {
		panic(command.Abort{Err: command.Refuse("file -: not available here; name a file")})
	}
	d, err := describe(ctx, c, name, follow)
	if err != nil {
		return fmt.Sprintf("cannot open `%s' (%s)", name, command.Message(err))
	}
	switch d.Kind {
	case workspace.Directory:
		return "directory"
	case workspace.Symlink:
		text := "symbolic link to " + readlink(ctx, c, name)
		if _, err := describe(ctx, c, name, true); err != nil {
			text = "broken " + text
		}
		return text
	case workspace.Regular:
	default:
		return kindText(d)
	}
	if d.Size == 0 {
		return "empty"
	}
	f, err := c.Files.File(ctx, name)
	if err != nil {
		return fmt.Sprintf("cannot open `%s' (%s)", name, command.Message(err))
	}
	defer f.Close()
	n, _ := f.ReadAt(sample, 0)
	return contentText(name, sample[:n])
}

// A magic is what a file of a format begins with.
type magic struct {
	prefix string
	text   func(b []byte) string // the words about the file, or "" if it is another format
}

func only(text string) func([]byte) string { return func([]byte) string { return text } }

// magics are the formats that are described, the first that matches.
var magics = []magic{
	{"\x89PNG\r\n\x1a\n", pngText},
	{"GIF8", gifText},
	{"%PDF-", func(b []byte) string { return "PDF document, version " + string(b[5:min(8, len(b))]) }},
	{"\xfe\xff", only("Unicode text, UTF-16, big-endian text")},
	{"SQLite format 3\x00", nil},
	{"\x7fELF", nil},
	{"\xff\xd8\xff", nil},
	{"PK\x03\x04", nil},
	{"\x1f\x8b", nil},
	{"RIFF", nil},
	{"BM", nil},
	{"\xca\xfe\xba\xbe", nil},
	{"MZ", nil},
	{"\x00asm", nil},
	{"7z\xbc\xaf", nil},
	{"\xd0\xcf\x11\xe0", nil},
	{"ID3", nil},
	{"OggS", nil},
	{"\xff\xfe", nil},
}

func pngText(b []byte) string {
	if len(b) < 29 {
		return ""
	}
	colors := map[byte]string{
		0: " grayscale", 2: "/color RGB", 3: " colormap", 4: " gray+alpha", 6: "/color RGBA",
	}
	laced := map[byte]string{0: "non-interlaced", 1: "interlaced"}
	return fmt.Sprintf("PNG image data, %d x %d, %d-bit%s, %s", binary.BigEndian.Uint32(b[16:]),
		binary.BigEndian.Uint32(b[20:]), b[24], colors[b[25]], laced[b[28]])
}

func gifText(b []byte) string {
	if len(b) < 10 {
		return ""
	}
	return fmt.Sprintf("GIF image data, version %s, %d x %d", b[3:6],
		binary.LittleEndian.Uint16(b[6:]), binary.LittleEndian.Uint16(b[8:]))
}

// contentText says what a file contains. It refuses formats that it cannot describe as file does.
func contentText(name string, b []byte) string {
	for _, m := range magics {
		if !bytes.HasPrefix(b, []byte(m.prefix)) {
			continue
		}
		if m.text != nil {
			if text := m.text(b); text != "" {
				return text
			}
		}
		panic(command.Abort{Err: command.Refuse(
			"file %s: this format is not described here; use xxd or read_file", name)})
	}
	if len(b) == 1 {
		return "very short file (no magic)"
	}
	if first := bytes.TrimLeft(b, " \t\r\n"); len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		if json.Valid(b) {
			return "JSON text data"
		}
		if first[0] == '{' && isLines(b) {
			return "New Line Delimited JSON text data"
		}
	}
	encoding := encodingOf(b)
	if encoding == "" {
		return "data"
	}
	prefix, suffix := language(b)
	return prefix + encoding + suffix + lineText(b)
}

// isLines reports whether each line is a JSON value.
func isLines(b []byte) bool {
	n := 0
	for line := range bytes.Lines(b) {
		if !json.Valid(line) {
			return false
		}
		n++
	}
	return n > 1
}

// encodingOf returns the encoding of a text, or "" for something else.
func encodingOf(b []byte) string {
	isASCII, hasC1 := true, false
	for _, c := range b {
		isControl := c < ' ' && (c < 7 || c > 13 || c == 11) && c != 27 || c == 127
		if isControl {
			return ""
		}
		isASCII = isASCII && c < 128
		hasC1 = hasC1 || c >= 128 && c < 160 && c != 0x85
	}
	switch {
	case isASCII:
		return "ASCII text"
	case bytes.HasPrefix(b, []byte("\ufeff")) && utf8.Valid(b):
		return "Unicode text, UTF-8 (with BOM) text"
	case utf8.Valid(b):
		return "Unicode text, UTF-8 text"
	case hasC1:
		return "Non-ISO extended-ASCII text"
	}
	return "ISO-8859 text"
}

// A rule says by what a language is recognized, and the words before and behind the encoding.
type rule struct {
	content        *regexp.Regexp
	prefix, suffix string
}

// languages are the languages that are recognized, the first that matches.
var languages = []rule{
	{regexp.MustCompile(`(?i)^\s*<(!doctype html|html|head|title|body)\b`), "HTML document, ", ""},
	{
		regexp.MustCompile(`(?m)^import.*\bfrom\b|^export (default|const|function|class)\b|` +
			`^(const|let|var)\b.*= *require\(|^module\.exports\b|^["']use strict["']`),
		"JavaScript source, ", "",
	},
	{regexp.MustCompile(`(?m)^import.*;$`), "Java source, ", ""},
	{regexp.MustCompile(`(?m)^from[ \t]+[\w.]+[ \t]+import|^import \w+ as \w+\s*$|` +
		`^class [_A-Za-z]+(\(.*\))? *:([ \t]+pass)?$|` +
		`^\s{0,50}def {1,50}[_a-zA-Z]{1,100}.*\([A-Za-z*_, ]{0,255}\):$|` +
		`def __init__(.|\n){0,64}self|if __name__(.|\n){0,64}['"]__main__['"]|` +
		`try:(.|\n)*\n\s*(except.*:|finally:)`), "Python script, ", " executable"},
	{regexp.MustCompile(`(?m)^#[ \t]*(include|pragma)\b|^struct\s|^extern\s|^char[ \t]+\*|` +
		`\bmain\((.|\n)*?\)\s*\{`), "C source, ", ""},
	{regexp.MustCompile(`(?m)^class \w+ *\{|^namespace\b|^using namespace\b|^template *<|` +
		`^(private|public|protected):`), "C++ source, ", ""},
	{regexp.MustCompile(`\\documentclass\b`), "LaTeX 2e document, ", ""},
	{regexp.MustCompile(`\\(begin|section|chapter)\{`), "LaTeX document, ", ""},
	{regexp.MustCompile(`\\input\b`), "TeX document, ", ""},
	{regexp.MustCompile(`^<\?php`), "PHP script, ", ""},
}

var (
	shebang = regexp.MustCompile(`^#! ?(?:/usr/bin/env +|\S*/)(\S+)`)
	xml     = regexp.MustCompile(`^<\?xml version="([\d.]+)"`)
)

// language returns the words for a programming language, before and behind the encoding.
func language(b []byte) (prefix, suffix string) {
	head := b[:min(len(b), 8192)]
	if found := shebang.FindSubmatch(head); found != nil {
		return script(head, strings.TrimRight(string(found[1]), "0123456789."))
	}
	if found := xml.FindSubmatch(head); found != nil {
		return "XML " + string(found[1]) + " document, ", ""
	}
	for _, r := range languages {
		if r.content.Match(head) {
			return r.prefix, r.suffix
		}
	}
	return "", ""
}

// script returns the words for a script that a program of a name runs.
func script(head []byte, name string) (prefix, suffix string) {
	scripts := map[string]string{
		"bash": "Bourne-Again shell script", "sh": "POSIX shell script", "python": "Python script",
		"ruby": "Ruby script", "zsh": "Paul Falstad's zsh script",
	}
	if text, ok := scripts[name]; ok {
		return text + ", ", " executable"
	}
	if name == "node" {
		return "Node.js script executable, ", ""
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	return "a " + strings.TrimSpace(string(line)) + " script, ", " executable"
}

// lineText returns what is unusual about the lines of a text.
func lineText(b []byte) string {
	var crlf, cr, lf, longest, length int
	afterCR := false
	text := bytes.Runes(b)
	for i, r := range text {
		switch {
		case r == '\n' && afterCR:
			crlf++
		case r == '\n':
			lf++
		case afterCR:
			cr++
		}
		afterCR = r == '\r'
		length++
		if r == '\n' || afterCR {
			length = 0
		}
		if length > 300 || i == 300 && length == 301 {
			longest = max(longest, length)
		}
	}
	result := ""
	if longest > 0 {
		result = fmt.Sprintf(", with very long lines (%d)", longest)
	}
	var ends []string
	for i, n := range []int{crlf, cr, lf} {
		if n > 0 {
			ends = append(ends, []string{"CRLF", "CR", "LF"}[i])
		}
	}
	switch {
	case len(ends) == 0:
		result += ", with no line terminators"
	case crlf+cr > 0:
		result += ", with " + strings.Join(ends, ", ") + " line terminators"
	}
	if bytes.IndexByte(b, 27) >= 0 {
		result += ", with escape sequences"
	}
	if bytes.IndexByte(b, '\b') >= 0 {
		result += ", with overstriking"
	}
	return result
}
