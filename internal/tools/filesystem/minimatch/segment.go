package minimatch

import (
	"strings"
	"unicode/utf16"
)

// A segment is a compiled component of a glob.
type segment struct {
	kind   segmentKind
	text   string
	length int // in UTF-16 units, of a questionSegment
	node   *node
	runes  bool // node matches characters instead of UTF-16 units
}

type segmentKind uint8

const (
	textSegment     segmentKind = iota // the text itself
	globstarSegment                    // **
	starSegment                        // anything that ends with the text
	questionSegment                    // anything of the length that ends with the text
	nodeSegment
)

func (s segment) isGlobstar() bool { return s.kind == globstarSegment }

// An InvalidError reports a pattern for which the original makes a regular expression that is not valid.
type InvalidError struct{ Component string }

func (e *InvalidError) Error() string { return "Invalid regular expression: " + e.Component }

// newSegment compiles a component. The original does not interpret components of a star or question marks and then text, but
// compares their ends, backslashes included.
func newSegment(component string) (segment, error) {
	switch component {
	case "**":
		return segment{kind: globstarSegment}, nil
	case "", ".", "..":
		return segment{text: component}, nil
	}
	for _, lead := range []string{"*", "?"} {
		rest := strings.TrimLeft(component, lead)
		if rest == component || strings.ContainsAny(rest, "+@!?*[(") {
			continue
		}
		switch {
		case lead == "?":
			return segment{kind: questionSegment, text: rest, length: units(component)}, nil
		case rest == "":
			return segment{kind: questionSegment, length: -1}, nil
		default:
			return segment{kind: starSegment, text: rest}, nil
		}
	}
	c := compiler{}
	n := c.compile(parse(component))
	if !c.magic {
		text, _ := n.literal(nil)
		return segment{text: string(utf16.Decode(text))}, nil
	}
	n.separate(true)
	if !n.finish(c.runes) || c.runes && c.escapes {
		return segment{}, &InvalidError{component}
	}
	return segment{kind: nodeSegment, node: n, runes: c.runes}, nil
}

func (s segment) match(name string) bool {
	switch s.kind {
	case textSegment:
		return name == s.text
	case starSegment:
		return strings.HasSuffix(name, s.text)
	case questionSegment:
		return s.length < 0 || units(name) == s.length && strings.HasSuffix(name, s.text)
	case nodeSegment:
		return s.node.match(characters(name, s.runes))
	default:
		return false
	}
}

// characters returns the characters of a name, or its UTF-16 units.
func characters(name string, runes bool) []rune {
	if runes || isPlain(name) {
		return []rune(name)
	}
	encoded := utf16.Encode([]rune(name))
	list := make([]rune, len(encoded))
	for i, unit := range encoded {
		list[i] = rune(unit)
	}
	return list
}
