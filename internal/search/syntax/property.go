package syntax

import (
	"cmp"
	"strings"
	"unicode"
)

// property parses the rest of a property such as \pL, \p{Greek} or \p{script=Greek}, which begins
// at start.
func (p *parser) property(start int) Set {
	p.space()
	name := string(p.next())
	switch name {
	case "{":
		var ended bool
		if name, _, ended = strings.Cut(p.pattern[p.pos:], "}"); !ended {
			p.failAt(start, `a property needs a "}" at its end`)
		}
		p.pos += len(name) + 1
	case `\`, string(eof):
		p.failAt(start, "the name of a property is missing")
	}
	if !p.flags[unicodeMode] {
		p.failAt(start, "properties need the flag u")
	}
	var s Set
	switch kind, value, valued := splitProperty(name); {
	case !valued:
		if s = binary(value); s == nil {
			s = category(value)
		}
		if s == nil {
			s = script(value)
		}
	case kind == "gc", kind == "generalcategory":
		s = category(value)
	case kind == "sc", kind == "script":
		s = script(value)
	}
	if s == nil {
		p.failAt(start, `unknown property; there are general categories, scripts and a few more, `+
			`such as \p{Lu}, \p{Greek} and \p{White_Space}`)
	}
	return s
}

// splitProperty returns the normalized kind and value of a property. If the property has no kind,
// valued is false and value is its name.
func splitProperty(s string) (kind, value string, valued bool) {
	for _, equals := range []string{"!=", ":", "="} { // in ripgrep 15, != and = are the same
		if kind, value, ok := strings.Cut(s, equals); ok {
			return normalize(kind), normalize(value), true
		}
	}
	return "", normalize(s), false
}

// normalize returns the name of a property in lower case, without separators and the prefix "is".
func normalize(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' || r > unicode.MaxASCII {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	if rest, ok := strings.CutPrefix(name, "is"); ok && rest != "" && rest != "c" {
		return rest
	}
	return name
}

// Words returns the tables of the word characters.
func Words() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic,
		unicode.Join_Control,
	}
}

// binary returns the characters that have a property without a value, or nil if the property is
// unknown.
func binary(name string) Set {
	switch name {
	case "alphabetic", "alpha":
		return tables(unicode.L, unicode.Nl, unicode.Other_Alphabetic)
	case "lowercase", "lower":
		return tables(unicode.Ll, unicode.Other_Lowercase)
	case "uppercase", "upper":
		return tables(unicode.Lu, unicode.Other_Uppercase)
	case "math":
		return tables(unicode.Sm, unicode.Other_Math)
	case "whitespace", "space", "wspace":
		return tables(unicode.White_Space)
	case "joinc":
		return tables(unicode.Join_Control)
	}
	if strings.HasPrefix(name, "other") {
		return nil
	}
	return table(unicode.Properties, name)
}

// table returns the set of the table with a normalized name, or nil if the name is unknown.
func table(all map[string]*unicode.RangeTable, name string) Set {
	for key, t := range all {
		if normalize(key) == name {
			return tables(t)
		}
	}
	return nil
}

// category returns the characters of a general category, or nil if the category is unknown.
func category(name string) Set {
	switch name {
	case "any":
		return Set{{0, maxRune}}
	case "ascii":
		return Set{{0, unicode.MaxASCII}}
	case "assigned":
		return tables(unicode.Cn).negate(maxRune)
	}
	for alias, key := range unicode.CategoryAliases {
		if normalize(alias) == name {
			return tables(unicode.Categories[key])
		}
	}
	return table(unicode.Categories, name)
}

// script returns the characters of a script, or nil if the script is unknown.
func script(name string) Set {
	return table(unicode.Scripts, cmp.Or(scriptAliases[name], name))
}

// scriptAliases maps short names of scripts, which Go's tables lack, to long names.
var scriptAliases = map[string]string{
	"arab": "arabic", "armn": "armenian", "beng": "bengali", "cyrl": "cyrillic", "deva": "devanagari",
	"ethi": "ethiopic", "geor": "georgian", "grek": "greek", "hang": "hangul", "hani": "han",
	"hebr": "hebrew", "hira": "hiragana", "kana": "katakana", "khmr": "khmer", "latn": "latin",
	"mong": "mongolian", "taml": "tamil", "telu": "telugu", "tibt": "tibetan", "zinh": "inherited",
	"zyyy": "common",
}
