package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

// parameter adds the value of a parameter.
func (x *expander) parameter(p *syntax.ParamExp, isQuoted bool) {
	e, name := x.e, p.Param.Value
	if isList(name) {
		x.list(name, isQuoted)
		return
	}
	value, isSet := e.value(name)
	if p.Exp != nil && x.alternative(p, value, isSet, isQuoted) {
		return
	}
	e.checkSet(name, isSet)
	if p.Length {
		x.value(strconv.Itoa(utf8.RuneCountInString(value)), isQuoted)
		return
	}
	if isSet {
		value = x.modified(p, value)
	}
	x.value(value, isQuoted)
}

// checkSet ends the environment because of set -u if a parameter is not set.
func (e *environment) checkSet(name string, isSet bool) {
	if isSet || !e.options.nounset {
		return
	}
	status := 127
	if e.isSubshell || e.options.errexit {
		status = 1
	}
	panic(failure{text: name + ": unbound variable", status: status, exits: true})
}

// isList reports whether a parameter is all positional parameters.
func isList(name string) bool { return name == "@" || name == "*" }

// alternative handles ${x:-word} and what is like it. It reports whether the value was added.
func (x *expander) alternative(p *syntax.ParamExp, value string, isSet, isQuoted bool) bool {
	isMissing := !isSet
	switch p.Exp.Op {
	case syntax.DefaultUnsetOrNull, syntax.AlternateUnsetOrNull, syntax.AssignUnsetOrNull:
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
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if isMissing {
			word := &expander{e: x.e, account: x.e.newAccount("an expansion")}
			defer word.account.Release()
			word.alternativeWord(p.Exp.Word, isQuoted)
			value = word.whole().Value
			x.e.set(p.Param.Value, value)
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
		x.parts(w.Parts, true)
		x.splitsLiterals = before
	}
}

// modified applies the operators that change a value.
func (x *expander) modified(p *syntax.ParamExp, value string) string {
	e := x.e
	switch {
	case p.Slice != nil:
		from, to := x.bounds(p.Slice, utf8.RuneCountInString(value))
		return value[offset(value, from):offset(value, to)]
	case p.Repl != nil:
		return x.replaced(p.Repl, value)
	case p.Exp == nil:
		return value
	}
	pattern := e.pattern(p.Exp.Word)
	switch p.Exp.Op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		isLongest := p.Exp.Op == syntax.RemLargePrefix
		return value[max(pattern.Prefix(x.account, value, isLongest), 0):]
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		isLongest := p.Exp.Op == syntax.RemLargeSuffix
		return value[:len(value)-max(pattern.Suffix(x.account, value, isLongest), 0)]
	}
	return x.changedCase(p.Exp, pattern, value)
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

// offset returns where a character of s begins.
func offset(s string, index int) int {
	for at := range s {
		if index == 0 {
			return at
		}
		index--
	}
	return len(s)
}

// replaced is ${x/pattern/with}.
func (x *expander) replaced(r *syntax.Replace, value string) string {
	original := x.e.expand(r.Orig, true)
	with := x.e.expand(r.With, true)
	if original.Value == "" {
		return value
	}
	if strings.Contains(original.Value, "[^]") || strings.Contains(original.Value, "[!]") {
		command.Stop("${x/%.40s/...}: here, ] is at the end of a bracket", original.Value)
	}
	first := original.Value[0]
	isAnchored := !r.All && (first == '#' || first == '%') && !original.IsQuoted(0)
	result := &expander{e: x.e, account: x.e.newAccount("${x/y/z}")}
	defer result.account.Release()
	if isAnchored {
		p := compilePattern(original.Cut(1, len(original.Value)))
		result.replaceAt(p, first, value, with)
	} else {
		p := compilePattern(original)
		result.replaceEach(p, value, with, r.All)
	}
	x.account.Grab(len(result.text))
	return string(result.text)
}

// replaceAt adds value with its beginning ("#") or end ("%") replaced.
func (x *expander) replaceAt(p *glob.Pattern, anchor byte, value string, with glob.Text) {
	from, to := 0, p.Prefix(x.account, value, true)
	if anchor == '%' {
		from, to = len(value)-p.Suffix(x.account, value, true), len(value)
	}
	if from > len(value) || to < 0 {
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

// list adds the positional parameters.
func (x *expander) list(name string, isQuoted bool) {
	isStar := name == "*"
	separator := " "
	if ifs, isSet := x.e.value("IFS"); isStar && isSet {
		_, n := utf8.DecodeRuneInString(ifs)
		separator = ifs[:n]
	}
	isJoined := isStar && isQuoted || !x.splits
	isSplit := !isJoined && !isQuoted && strings.Trim(x.e.separators(), whiteSpace) != ""
	if isSplit && slices.Contains(x.e.parameters, "") {
		command.Stop("$%s with empty parameters and another IFS is not available here; quote it", name)
	}
	for i, value := range x.e.parameters {
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

// number evaluates an expression of a word.
func (e *environment) number(x syntax.ArithmExpr) int64 {
	n := int64(0)
	if err := attempt(func() { n = e.result(x) }); err != nil {
		e.fail("%v", err)
	}
	return n
}
