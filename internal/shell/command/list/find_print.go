package list

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gander/internal/shell/command/format"
)

// print prints the path of an entry and then a byte. Like all actions that print, it is true.
func (f *finder) print(e *candidate, end byte) bool {
	f.c.Out.WriteString(e.path)
	f.c.Out.WriteByte(end)
	return true
}

// A part returns what a part of a format stands for.
type part func(f *finder, e *candidate) string

// formatPart matches what a format begins with: an escape, a directive or a text.
var formatPart = regexp.MustCompile(`(?s)^(\\[0-7]+|\\.?|%T?.?|[^\\%]+)`)

// printf compiles the argument of -printf.
func (f *finder) printf(s string) test {
	var parts []part
	for s != "" {
		token := formatPart.FindString(s)
		next, ok := printfParts[token]
		switch {
		case ok:
		case token[0] == '\\':
			f.refuse("find -printf %q: of escapes, only \\n, \\t, \\0 and \\\\ are available here", s)
		case token[0] == '%':
			f.refuse("find -printf %q: this directive is not available here; leave it out", s)
		default:
			next = fixed(token)
		}
		parts = append(parts, next)
		s = s[len(token):]
	}
	return func(e *candidate) bool {
		for _, part := range parts {
			f.c.Out.WriteString(part(f, e))
		}
		return true
	}
}

func fixed(s string) part { return func(*finder, *candidate) string { return s } }

// printfParts are the directives and escapes of -printf.
var printfParts = map[string]part{
	"%%": fixed("%"), `\n`: fixed("\n"), `\t`: fixed("\t"), `\0`: fixed("\x00"), `\\`: fixed(`\`),
	"%p": func(_ *finder, e *candidate) string { return e.path },
	"%P": func(_ *finder, e *candidate) string {
		return strings.TrimPrefix(strings.TrimPrefix(e.path, e.start), "/")
	},
	"%f": func(_ *finder, e *candidate) string { // with one of the slashes at the end
		whole := strings.TrimRight(e.path, "/")
		end := min(len(whole)+1, len(e.path))
		return e.path[strings.LastIndexByte(whole, '/')+1 : end]
	},
	"%h": func(_ *finder, e *candidate) string {
		whole := strings.TrimRight(e.path, "/")
		if len(whole) <= 1 { // GNU's keeps slashes behind one character
			whole = e.path
		}
		if at := strings.LastIndexByte(whole, '/'); at >= 0 {
			return whole[:at]
		}
		return "."
	},
	"%d": func(_ *finder, e *candidate) string { return strconv.Itoa(e.depth) },
	"%s": func(f *finder, e *candidate) string { return strconv.FormatInt(f.info(e).Size, 10) },
	"%y": func(f *finder, e *candidate) string { return string(rune(f.letterOf(e))) },
	"%l": func(f *finder, e *candidate) string { return readlink(f.ctx, f.c, e.path) },
	"%m": func(f *finder, e *candidate) string {
		return strconv.FormatUint(uint64(f.describe(e).Mode&0o7777), 8)
	},
	"%M":  func(f *finder, e *candidate) string { return modeText(f.describe(e).Mode) },
	"%TY": timePart("%Y", false), "%Tm": timePart("%m", false), "%Td": timePart("%d", false),
	"%TH": timePart("%H", false), "%TM": timePart("%M", false), "%TF": timePart("%F", false),
	"%TS": timePart("%S", true), "%TT": timePart("%T", true), "%T+": timePart("%F+%T", true),
	"%T@": timePart("%s", true),
}

// timePart returns the directive for a time, perhaps with ten decimals of the seconds.
func timePart(layout string, hasFraction bool) part {
	return func(f *finder, e *candidate) string {
		t := f.info(e).ModTime
		text := format.Time(layout, t.Local())
		if hasFraction {
			text += fmt.Sprintf(".%09d0", t.Nanosecond())
		}
		return text
	}
}
