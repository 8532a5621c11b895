package documents

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Inline writes the text of a paragraph, and what its formatting means: a raised text as "^2", a
// lowered one as "_2", a hidden one after "(hidden)", and a link before its target.
type Inline struct {
	Out func([]byte) // writes text

	style   Style  // of the text
	raised  []byte // text that has the script, not yet written
	marked  bool   // the text that was written last is marked as hidden
	atSpace bool   // white space, or nothing, was written last
	started bool
	links   []link // around the text
	deeper  int    // further links, whose targets are left out
}

// A Style says what the formatting of a text means.
type Style struct {
	Script byte // '^' for a raised text, '_' for a lowered one, or 0
	Hidden bool
}

// With returns the style, completed by that of a text around it, or by one that it is based on.
func (s Style) With(base Style) Style {
	return Style{cmp.Or(s.Script, base.Script), s.Hidden || base.Hidden}
}

// A link is a link around the text.
type link struct {
	target string
	text   []byte // of it, or its beginning
}

// Limits of an Inline in bytes. A longer text with a script is no exponent or index.
const (
	maxRaised = 200
	maxTarget = 2 << 10
	maxLinks  = 16 // in each other
)

// Set sets the style of the text that follows.
func (i *Inline) Set(style Style) {
	if style != i.style {
		i.flush()
		i.style = style
	}
}

// Raise sets only the script.
func (i *Inline) Raise(script byte) { i.Set(Style{script, i.style.Hidden}) }

// Hide says only whether the text that follows is hidden.
func (i *Inline) Hide(hidden bool) { i.Set(Style{i.style.Script, hidden}) }

// Add writes text of the paragraph.
func (i *Inline) Add(b []byte) {
	for n := range i.links {
		l := &i.links[n]
		l.text = append(l.text, b[:min(len(b), maxTarget-len(l.text))]...)
	}
	if i.style.Script == 0 {
		i.write(b)
		return
	}
	i.raised = append(i.raised, b...)
	if len(i.raised) > maxRaised {
		i.write(i.raised)
		i.raised = i.raised[:0]
	}
}

// Insert writes something that has no script, such as the number of a note.
func (i *Inline) Insert(b []byte) {
	i.flush()
	i.write(b)
}

// End ends the paragraph.
func (i *Inline) End() {
	i.flush()
	i.marked, i.started = false, false
}

// flush writes the text with a script that was collected.
func (i *Inline) flush() {
	if len(i.raised) == 0 {
		return
	}
	b := bytes.TrimSpace(i.raised)
	i.raised = i.raised[:0]
	if len(b) > 0 {
		i.write(scripted(i.style.Script, string(b)))
	}
}

// scripted returns a text with its script, as in "^10" or "_(i+1)".
func scripted(script byte, s string) []byte {
	digits := strings.TrimLeft(s, "+-−")
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	isOne := len(s)-len(digits) <= utf8.UTFMax && strings.IndexFunc(digits, isOther) < 0
	if isOne || utf8.RuneCountInString(s) == 1 {
		return []byte(string(script) + s)
	}
	return []byte(string(script) + "(" + s + ")")
}

// write writes text, after a mark if it is hidden, or no longer hidden.
func (i *Inline) write(b []byte) {
	if len(b) == 0 {
		return
	}
	if i.style.Hidden != i.marked && len(bytes.TrimSpace(b)) > 0 {
		i.marked = i.style.Hidden
		mark := "(visible) "
		if i.style.Hidden {
			mark = "(hidden) "
		}
		if i.started && !i.atSpace {
			mark = " " + mark
		}
		i.Out([]byte(mark))
	}
	i.started = true
	i.atSpace = b[len(b)-1] == ' ' || b[len(b)-1] == '\t'
	i.Out(b)
}

// StartLink begins a link. An empty target is none.
func (i *Inline) StartLink(target string) {
	i.flush()
	if len(i.links) == maxLinks {
		i.deeper++
		return
	}
	i.links = append(i.links, link{target: cutName(target, maxTarget)})
}

// EndLink ends a link, and writes its target, unless that is its text.
func (i *Inline) EndLink() {
	last := len(i.links) - 1
	switch {
	case i.deeper > 0:
		i.deeper--
		return
	case last < 0:
		return
	}
	i.flush()
	l := i.links[last]
	i.links = i.links[:last]
	if l.target == "" || bareTarget(l.target) == bareTarget(string(l.text)) {
		return
	}
	i.write([]byte(" (" + l.target + ")"))
}

// FieldLink returns the target of the link that the instruction of a field makes, and whether it
// makes one. The target is "" for a place in the document.
func FieldLink(instruction string) (target string, isLink bool) {
	rest, isLink := strings.CutPrefix(strings.TrimSpace(instruction), "HYPERLINK")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, `"`) { // otherwise a switch: \l is followed by a bookmark
		target, _, _ = strings.Cut(rest[1:], `"`)
	}
	return target, isLink
}

// bareTarget returns a target without what a text that shows it can lack.
func bareTarget(target string) string {
	target = strings.TrimSpace(target)
	for _, scheme := range []string{"mailto:", "https://", "http://"} {
		target = strings.TrimPrefix(target, scheme)
	}
	return strings.TrimSuffix(target, "/")
}
