package list

import (
	"fmt"
	"strconv"
	"strings"

	"gander/internal/shell/command/format"
)

// print prints the path of an entry.
func (w *walking) print(e *found, end byte) bool {
	w.c.Out.WriteString(e.path)
	w.c.Out.WriteByte(end)
	return true
}

// A part is a part of a format: it returns what it stands for.
type part func(w *walking, e *found) string

// printf parses the argument of -printf.
func (p *finderParser) printf(s string) test {
	var parts []part
	for s != "" {
		n := 2
		switch {
		case s[0] == '\\':
			escapes := map[string]string{`\n`: "\n", `\t`: "\t", `\0`: "\x00", `\\`: `\`}
			text, ok := escapes[s[:min(2, len(s))]]
			if !ok || text == "\x00" && len(s) > 2 && s[2] >= '0' && s[2] <= '7' {
				p.refuse("find -printf %q: of escapes, only \\n, \\t, \\0 and \\\\ are available here", s)
			}
			parts = append(parts, func(*walking, *found) string { return text })
		case s[0] == '%':
			if strings.HasPrefix(s, "%T") {
				n = 3
			}
			d := directives[s[:min(n, len(s))]]
			if d == nil {
				p.refuse("find -printf %q: this directive is not available here; leave it out", s)
			}
			parts = append(parts, d)
		default:
			n = strings.IndexAny(s, `\%`)
			if n < 0 {
				n = len(s)
			}
			text := s[:n]
			parts = append(parts, func(*walking, *found) string { return text })
		}
		s = s[n:]
	}
	return func(w *walking, e *found) bool {
		for _, part := range parts {
			w.c.Out.WriteString(part(w, e))
		}
		return true
	}
}

// directives are the directives of -printf.
var directives = map[string]part{
	"%%": func(*walking, *found) string { return "%" },
	"%p": func(_ *walking, e *found) string { return e.path },
	"%P": func(_ *walking, e *found) string {
		return strings.TrimPrefix(strings.TrimPrefix(e.path, e.start), "/")
	},
	"%f": func(_ *walking, e *found) string {
		return e.path[strings.LastIndexByte(strings.TrimRight(e.path, "/"), '/')+1:]
	},
	"%h": func(_ *walking, e *found) string {
		whole := strings.TrimRight(e.path, "/")
		if at := strings.LastIndexByte(whole, '/'); at >= 0 {
			return whole[:at]
		}
		return "."
	},
	"%d": func(_ *walking, e *found) string { return strconv.Itoa(e.depth) },
	"%s": func(w *walking, e *found) string { return strconv.FormatInt(w.info(e).Size, 10) },
	"%y": func(w *walking, e *found) string {
		for letter, kind := range kindLetters {
			if kind == w.typeOf(e) {
				return string(rune(letter))
			}
		}
		return "U"
	},
	"%l": func(w *walking, e *found) string { return readlink(w.ctx, w.c, e.path) },
	"%m": func(w *walking, e *found) string {
		return strconv.FormatUint(uint64(w.describe(e).Mode&0o7777), 8)
	},
	"%M":  func(w *walking, e *found) string { return modeText(w.describe(e).Mode) },
	"%TY": timePart("%Y", false), "%Tm": timePart("%m", false), "%Td": timePart("%d", false),
	"%TH": timePart("%H", false), "%TM": timePart("%M", false), "%TF": timePart("%F", false),
	"%TS": timePart("%S", true), "%TT": timePart("%T", true), "%T+": timePart("%F+%T", true),
	"%T@": timePart("%s", true),
}

// timePart returns the directive for a time, perhaps with ten decimals of the seconds.
func timePart(layout string, hasFraction bool) part {
	return func(w *walking, e *found) string {
		t := w.info(e).ModTime
		text := format.Time(layout, t.Local())
		if hasFraction {
			text += fmt.Sprintf(".%09d0", t.Nanosecond())
		}
		return text
	}
}
