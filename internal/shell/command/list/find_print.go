package list

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/shell/command/format"
)

// print prints the path of an entry.
func (w *walking) print(e *found, end byte) bool {
	w.c.Out.WriteString(e.path)
	w.c.Out.WriteByte(end)
	return true
}

// printDetails prints an entry as -ls does.
func (w *walking) printDetails(e *found) bool {
	d := w.details(e)
	const halfYear = 180 * 24 * time.Hour
	layout := "%b %e  %Y"
	if age := w.now.Sub(d.ModTime); age >= 0 && age < halfYear {
		layout = "%b %e %H:%M"
	}
	fmt.Fprintf(w.c.Out, "%9d %6d %s %3d %-8s %-8s %8d %s %s", d.Inode, (d.Blocks+1)/2,
		modeText(d.Mode), d.Links, w.owner(w.users, d.UID), w.owner(w.groups, d.GID), d.Size,
		format.Time(layout, d.ModTime.Local()), e.path)
	if w.typeOf(e) == symlink {
		w.c.Out.WriteString(" -> " + readlink(w.ctx, w.c, e.path))
	}
	w.c.Out.WriteByte('\n')
	return true
}

// owner returns the name of a user or group, or its number.
func (w *walking) owner(names map[uint32]string, id uint32) string {
	if name, ok := names[id]; ok {
		return name
	}
	return strconv.FormatUint(uint64(id), 10)
}

// A field is a part of a format: a text, or a directive.
type field struct {
	text   string
	verb   format.Verb
	letter byte
	time   byte // the letter of a format of a time, after A, C or T
}

// printf parses the argument of -printf.
func (p *finderParser) printf(s string) test {
	var fields []field
	text := func(s string) { fields = append(fields, field{text: s}) }
	for s != "" {
		switch {
		case s[0] == '\\' && len(s) > 1:
			value, size, ok := printfEscape(s)
			if !ok {
				p.refuse("find -printf %q: this escape sequence is not supported; leave it out", s[:2])
			}
			text(value)
			s = s[size:]
		case s[0] == '%' && len(s) > 1:
			var f field
			f, s = parseDirective(s[1:])
			if strings.IndexByte("ACT", f.letter) >= 0 && s != "" {
				f.time = s[0]
				s = s[1:]
			}
			if f.letter == 0 || strings.IndexByte("%pfhPHsdmMuUgGinkbyYltacACT", f.letter) < 0 {
				p.refuse("find -printf: the directive %%%c is not supported; leave it out", f.letter)
			}
			fields = append(fields, f)
		default:
			n := strings.IndexAny(s[1:], `\%`) + 1
			if n == 0 {
				n = len(s)
			}
			text(s[:n])
			s = s[n:]
		}
	}
	return func(w *walking, e *found) bool {
		for _, f := range fields {
			if f.letter == 0 {
				w.c.Out.WriteString(f.text)
				continue
			}
			value := w.directive(e, f)
			const maxWidth = 1 << 12
			f.verb.Width = min(f.verb.Width, maxWidth)
			w.c.Out.WriteString(f.verb.Text(value, len(value)))
		}
		return true
	}
}

// parseDirective parses a directive after its "%", and returns the rest.
func parseDirective(s string) (f field, rest string) {
	plain := strings.TrimLeft(s, "-0 #+")
	f.verb.Minus = strings.Contains(s[:len(s)-len(plain)], "-")
	rest = strings.TrimLeft(plain, "0123456789")
	f.verb.Width, _ = strconv.Atoi(plain[:len(plain)-len(rest)])
	if rest == "" {
		return f, ""
	}
	f.letter = rest[0]
	return f, rest[1:]
}

func printfEscape(s string) (value string, size int, ok bool) {
	if i := strings.IndexByte(`abfnrtv\`, s[1]); i >= 0 {
		return "\a\b\f\n\r\t\v\\"[i : i+1], 2, true
	}
	size = 1
	for size < min(len(s), 4) && s[size] >= '0' && s[size] <= '7' {
		size++
	}
	n, err := strconv.ParseUint(s[1:size], 8, 8)
	return string([]byte{byte(n)}), size, err == nil
}

// directive returns the value of a directive.
func (w *walking) directive(e *found, f field) string {
	switch f.letter {
	case '%':
		return "%"
	case 'p':
		return e.path
	case 'f':
		return e.path[strings.LastIndexByte(strings.TrimRight(e.path, "/"), '/')+1:]
	case 'h':
		whole := strings.TrimRight(e.path, "/")
		if at := strings.LastIndexByte(whole, '/'); at >= 0 {
			return whole[:at]
		}
		return "."
	case 'P':
		return strings.TrimPrefix(strings.TrimPrefix(e.path, e.start), "/")
	case 'H':
		return e.start
	case 'd':
		return strconv.Itoa(e.depth)
	case 's':
		return strconv.FormatInt(w.info(e).Size, 10)
	case 'y':
		return kindLetter(w.typeOf(e))
	case 'Y':
		return kindLetter(w.otherMode(e) & typeMask)
	case 'l':
		if w.typeOf(e) != symlink {
			return ""
		}
		return readlink(w.ctx, w.c, e.path)
	case 't', 'T':
		return findTime(w.info(e).ModTime, f.time)
	}
	return w.property(w.details(e), f)
}

func (w *walking) property(d workspace.Details, f field) string {
	switch f.letter {
	case 'm':
		return strconv.FormatUint(uint64(d.Mode&0o7777), 8)
	case 'M':
		return modeText(d.Mode)
	case 'u':
		return w.owner(w.users, d.UID)
	case 'g':
		return w.owner(w.groups, d.GID)
	case 'a', 'A':
		return findTime(d.Accessed, f.time)
	case 'c', 'C':
		return findTime(d.Changed, f.time)
	}
	n := map[byte]uint64{
		'U': uint64(d.UID), 'G': uint64(d.GID), 'i': d.Inode, 'n': d.Links,
		'k': uint64(d.Blocks+1) / 2, 'b': uint64(d.Blocks),
	}[f.letter]
	return strconv.FormatUint(n, 10)
}

func kindLetter(kind uint32) string {
	for letter, k := range kindLetters {
		if k == kind {
			return string(rune(letter))
		}
	}
	return "U"
}

// findTime formats a time by the letter after %T, or as %t. Seconds have ten decimals.
func findTime(t time.Time, letter byte) string {
	t = t.Local()
	fraction := fmt.Sprintf(".%09d0", t.Nanosecond())
	switch letter {
	case 0:
		return format.Time("%a %b %e %T", t) + fraction + format.Time(" %Y", t)
	case '@':
		return strconv.FormatInt(t.Unix(), 10) + fraction
	case '+':
		return format.Time("%F+%T", t) + fraction
	case 'S', 'T':
		return format.Time("%"+string(rune(letter)), t) + fraction
	}
	return format.Time("%"+string(rune(letter)), t)
}
