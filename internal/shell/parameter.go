package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

// indexWord returns the index of an array as it is written, such as "@", if it is a word.
func indexWord(x syntax.ArithmExpr) string {
	if w, ok := x.(*syntax.Word); ok {
		return w.Lit()
	}
	return ""
}

// parameter adds the value of a parameter.
func (x *expander) parameter(p *syntax.ParamExp, isQuoted bool) {
	e, name, index := x.e, p.Param.Value, indexWord(p.Index)
	isStar := name == "*" || index == "*"
	switch {
	case p.Names != 0:
		x.list(p, e.namesWith(name), p.Names == syntax.NamesPrefix, isQuoted)
		return
	case p.Excl && (isStar || index == "@"):
		x.list(p, e.indexes(name), isStar, isQuoted)
		return
	case isStar || name == "@" || index == "@":
		x.list(p, e.listOf(name), isStar, isQuoted)
		return
	}
	value, isSet := e.parameterValue(p)
	if p.Excl {
		if !syntax.ValidName(value) && !isPosition(value) {
			e.fail("%s: invalid variable name", value)
		}
		value, isSet = e.value(value)
	}
	if p.Exp != nil && x.alternative(p, value, isSet, isQuoted) {
		return
	}
	if !isSet && e.options.nounset {
		e.end(failure{text: name + ": unbound variable", status: 127, exits: true})
	}
	if p.Length {
		x.value(strconv.Itoa(utf8.RuneCountInString(value)), isQuoted)
		return
	}
	x.value(x.modified(p, value), isQuoted)
}

func isPosition(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
}

// parameterValue returns the value of a parameter or of an element, and whether it is set.
func (e *environment) parameterValue(p *syntax.ParamExp) (string, bool) {
	if p.Index == nil {
		return e.value(p.Param.Value)
	}
	return e.element(p.Param.Value, e.number(p.Index))
}

// namesWith returns the names of the variables that begin with a prefix.
func (e *environment) namesWith(prefix string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(e.variables)) {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

// indexes returns the indexes of an array.
func (e *environment) indexes(name string) []string {
	var list []string
	for i := range e.listOf(name) {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

// listOf returns the values of an array, or the positional parameters.
func (e *environment) listOf(name string) []string {
	if name == "@" || name == "*" {
		return e.parameters
	}
	return e.variable(name).list()
}

// alternative handles ${x:-word} and what is like it. It reports whether the value was added.
func (x *expander) alternative(p *syntax.ParamExp, value string, isSet, isQuoted bool) bool {
	isMissing := !isSet
	switch p.Exp.Op {
	case syntax.DefaultUnsetOrNull, syntax.AlternateUnsetOrNull, syntax.ErrorUnsetOrNull,
		syntax.AssignUnsetOrNull:
		isMissing = value == ""
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if isMissing {
			x.alternativeWord(p.Exp.Word, isQuoted)
			return true
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !isMissing {
			x.alternativeWord(p.Exp.Word, isQuoted)
		}
		return true
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if isMissing {
			x.missing(p)
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if isMissing {
			value = x.e.text(p.Exp.Word)
			if err := x.e.set(p.Param.Value, value); err != nil {
				x.e.fail("%v", err)
			}
		}
	default:
		return false
	}
	x.value(value, isQuoted)
	return true
}

func (x *expander) alternativeWord(w *syntax.Word, isQuoted bool) {
	switch {
	case w == nil:
	case isQuoted:
		x.quotedParts(w.Parts, "$`\\\"}")
	default:
		before := x.splitsLiterals
		x.splitsLiterals = x.splits
		x.parts(w.Parts, tildeFirst)
		x.splitsLiterals = before
	}
}

// missing ends the script with the text of ${x:?text}.
func (x *expander) missing(p *syntax.ParamExp) {
	text := x.e.text(p.Exp.Word)
	if text == "" {
		text = "parameter null or not set"
	}
	x.e.end(failure{text: p.Param.Value + ": " + text, status: 127, exits: true})
}

// modified applies the operators that change a value.
func (x *expander) modified(p *syntax.ParamExp, value string) string {
	e := x.e
	switch {
	case p.Slice != nil:
		from, to := x.bounds(p.Slice, utf8.RuneCountInString(value))
		return cutRunes(value, from, to)
	case p.Repl != nil:
		return x.replaced(p.Repl, value)
	case p.Exp == nil:
		return value
	}
	pattern := e.pattern(p.Exp.Word, false)
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		isLongest := p.Exp.Op == syntax.RemLargePrefix
		return value[max(pattern.Prefix(x.account, value, isLongest), 0):]
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		isLongest := p.Exp.Op == syntax.RemLargeSuffix
		if n := pattern.Suffix(x.account, value, isLongest); n >= 0 {
			return value[:n]
		}
		return value
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		return x.changedCase(p.Exp, pattern, value)
	}
	refuse("${%s%s...}: this operator is not available here", p.Param.Value, p.Exp.Op)
	return ""
}

// bounds returns the part of total elements that a slice selects.
func (x *expander) bounds(s *syntax.Slice, total int) (from, to int) {
	to = total
	if s.Offset != nil {
		from = int(x.e.number(s.Offset))
	}
	if from < 0 {
		from += total
	}
	if from < 0 || from > total {
		return 0, 0
	}
	if s.Length == nil {
		return from, to
	}
	n := int(x.e.number(s.Length))
	switch {
	case n < 0 && total+n < from:
		x.e.fail("%d: substring expression < 0", n)
	case n < 0:
		to = total + n
	case n < total-from:
		to = from + n
	}
	return from, to
}

// cutRunes returns the characters of s from one index to another.
func cutRunes(s string, from, to int) string {
	start, end, n := len(s), len(s), 0
	for at := range s {
		if n == from {
			start = at
		}
		if n == to {
			end = at
			break
		}
		n++
	}
	return s[start:max(start, end)]
}

// replaced is ${x/pattern/with}.
func (x *expander) replaced(r *syntax.Replace, value string) string {
	original := x.e.expand(r.Orig, tildeFirst)
	with := x.e.expand(r.With, tildeFirst)
	if original.Value == "" {
		return value
	}
	first := original.Value[0]
	isAnchored := !r.All && (first == '#' || first == '%') && !original.IsQuoted(0)
	result := &expander{e: x.e, account: x.e.newAccount("${x/y/z}")}
	defer result.account.Release()
	if isAnchored {
		p := glob.Compile(original.Cut(1, len(original.Value)), false)
		result.replaceAt(p, first, value, with)
	} else {
		p := glob.Compile(original, false)
		result.replaceEach(p, value, with, r.All)
	}
	x.account.Grab(len(result.text))
	return string(result.text)
}

// replaceAt adds value with its beginning ("#") or end ("%") replaced.
func (x *expander) replaceAt(p *glob.Pattern, anchor byte, value string, with glob.Text) {
	from, to := 0, p.Prefix(x.account, value, true)
	if anchor == '%' {
		from, to = p.Suffix(x.account, value, true), len(value)
	}
	if from < 0 || to < 0 {
		x.add(value, true)
		return
	}
	x.add(value[:from], true)
	x.addReplacement(with, value[from:to])
	x.add(value[to:], true)
}

func (x *expander) replaceEach(p *glob.Pattern, value string, with glob.Text, all bool) {
	for at := 0; at < len(value); {
		n := p.Prefix(x.account, value[at:], true)
		if n <= 0 {
			_, size := utf8.DecodeRuneInString(value[at:])
			x.add(value[at:at+size], true)
			at += size
			continue
		}
		x.addReplacement(with, value[at:at+n])
		at += n
		if !all {
			x.add(value[at:], true)
			return
		}
	}
}

// addReplacement adds a replacement. An "&" that is not quoted is what was matched.
func (x *expander) addReplacement(with glob.Text, matched string) {
	for at := 0; at < len(with.Value); at++ {
		c := with.Value[at]
		isEscape := c == '\\' && !with.IsQuoted(at) && at+1 < len(with.Value)
		switch {
		case isEscape && strings.IndexByte(`&\`, with.Value[at+1]) >= 0:
			at++
			x.add(with.Value[at:at+1], true)
		case c == '&' && !with.IsQuoted(at):
			x.add(matched, true)
		default:
			x.add(with.Value[at:at+1], true)
		}
	}
}

// changedCase is ${x^^pattern} and what is like it.
func (x *expander) changedCase(exp *syntax.Expansion, p *glob.Pattern, value string) string {
	isUpper := exp.Op == syntax.UpperFirst || exp.Op == syntax.UpperAll
	isAll := exp.Op == syntax.UpperAll || exp.Op == syntax.LowerAll
	x.account.Grab(2 * len(value))
	isFirst := true
	return strings.Map(func(r rune) rune {
		isWanted := isFirst || isAll
		isFirst = false
		switch {
		case !isWanted:
			return r
		case exp.Word != nil && !p.Matches(x.account, string(r)):
			return r
		case isUpper:
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, value)
}

// list adds the values of an array, or the positional parameters.
func (x *expander) list(p *syntax.ParamExp, values []string, isStar, isQuoted bool) {
	if p.Length {
		x.value(strconv.Itoa(len(values)), isQuoted)
		return
	}
	if p.Exp != nil && x.listAlternative(p, values, isQuoted) {
		return
	}
	values = x.modifiedList(p, values)
	separator := " "
	if ifs, isSet := x.e.value("IFS"); isStar && isSet {
		_, n := utf8.DecodeRuneInString(ifs)
		separator = ifs[:n]
	}
	isJoined := isStar && isQuoted || !x.splits
	for i, value := range values {
		switch {
		case i == 0:
		case isJoined:
			x.add(separator, true)
		default:
			x.end()
		}
		x.begun = x.begun || isQuoted
		x.value(value, isQuoted)
	}
}

// listAlternative is like alternative for lists.
func (x *expander) listAlternative(p *syntax.ParamExp, values []string, isQuoted bool) bool {
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		if len(values) == 0 {
			x.alternativeWord(p.Exp.Word, isQuoted)
		}
		return len(values) == 0
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if len(values) > 0 {
			x.alternativeWord(p.Exp.Word, isQuoted)
		}
		return true
	}
	return false
}

// modifiedList applies the operators of p to each value, or selects some.
func (x *expander) modifiedList(p *syntax.ParamExp, values []string) []string {
	if p.Slice != nil {
		if p.Param.Value == "@" || p.Param.Value == "*" {
			values = slices.Concat([]string{x.e.name}, values)
			if p.Slice.Offset != nil && x.e.number(p.Slice.Offset) > 0 && len(values) == 1 {
				return nil
			}
		}
		from, to := x.bounds(p.Slice, len(values))
		return values[from:max(from, to)]
	}
	if p.Exp == nil && p.Repl == nil {
		return values
	}
	var changed []string
	for _, value := range values {
		changed = command.Append(x.account, changed, x.modified(p, value))
	}
	return changed
}

// number evaluates an expression of a word.
func (e *environment) number(x syntax.ArithmExpr) int64 {
	n, err := e.evaluate(x, 0)
	if err != nil {
		e.fail("%v", err)
	}
	return n
}
