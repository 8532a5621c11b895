package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// eachBrace yields the words that the braces of a word stand for.
func (e *environment) eachBrace(
	account *command.Account, w *syntax.Word, yield func(*syntax.Word),
) {
	word := *w
	if !syntax.SplitBraces(&word) {
		yield(w)
		return
	}
	e.expandBraces(account, nil, word.Parts, yield)
}

func isBrace(p syntax.WordPart) bool {
	_, ok := p.(*syntax.BraceExp)
	return ok
}

// expandBraces yields what parts stand for after parts that are expanded.
func (e *environment) expandBraces(
	account *command.Account, done, parts []syntax.WordPart, yield func(*syntax.Word),
) {
	account.Tick()
	defer e.enter().ascend()
	at := slices.IndexFunc(parts, isBrace)
	if at < 0 {
		if word := joinLiterals(slices.Concat(done, parts)); len(word) > 0 {
			yield(&syntax.Word{Parts: word})
		}
		return
	}
	done = slices.Concat(done, parts[:at])
	next := func(element []syntax.WordPart) {
		e.expandBraces(account, done, slices.Concat(element, parts[at+1:]), yield)
	}
	brace := parts[at].(*syntax.BraceExp)
	if !brace.Sequence {
		for _, element := range brace.Elems {
			next(element.Parts)
		}
		return
	}
	from, to := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	step := int64(1)
	if len(brace.Elems) > 2 {
		step, _ = strconv.ParseInt(brace.Elems[2].Lit(), 10, 64)
		step = max(step, -step, 1)
	}
	first, errFirst := strconv.ParseInt(from, 10, 64)
	last, errLast := strconv.ParseInt(to, 10, 64)
	width := 0 // of numbers, if one of the ends has zeros in front
	for _, end := range []string{from, to} {
		if digits := strings.TrimPrefix(end, "-"); len(digits) > 1 && digits[0] == '0' {
			width = max(len(from), len(to))
		}
	}
	show := func(n int64) string { return fmt.Sprintf("%0*d", width, n) }
	if errFirst != nil || errLast != nil {
		first, last = int64(from[0]), int64(to[0])
		if from[0]&0x20 != to[0]&0x20 {
			command.Stop("{%s..%s}: letters of both cases are not available here", from, to)
		}
		show = func(n int64) string { return string(rune(n)) }
	}
	count := uint64(last-first) / uint64(step)
	if last < first {
		count, step = uint64(first-last)/uint64(step), -step
	}
	for n := first; ; n += step {
		next([]syntax.WordPart{&syntax.Lit{Value: show(n)}})
		if count == 0 {
			return
		}
		count--
	}
}

// joinLiterals joins the texts beside each other. A text could also extend a name before it.
func joinLiterals(parts []syntax.WordPart) []syntax.WordPart {
	var joined []syntax.WordPart
	for _, p := range parts {
		lit, isLit := p.(*syntax.Lit)
		last := len(joined) - 1
		if !isLit || last < 0 {
			joined = append(joined, p)
			continue
		}
		if lit.Value == "" {
			continue
		}
		switch before := joined[last].(type) {
		case *syntax.Lit:
			joined[last] = &syntax.Lit{Value: before.Value + lit.Value}
			continue
		case *syntax.ParamExp:
			name := before.Param.Value
			isLonger := syntax.ValidName(name) && syntax.ValidName(name+lit.Value[:1])
			if before.Short && isLonger {
				command.Stop("$%s before more letters is not available in braces here; write ${%s}", name,
					name)
			}
		}
		joined = append(joined, p)
	}
	return joined
}
