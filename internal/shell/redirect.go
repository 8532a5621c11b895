package shell

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// redirected runs a command with its redirections.
func (e *environment) redirected(s *syntax.Stmt) {
	in, out, err := e.in, e.out, e.err
	account := e.newAccount("the redirections")
	var opened []*command.Input
	defer func() {
		e.in, e.out, e.err = in, out, err
		for _, input := range opened {
			input.Close()
		}
		account.Release()
	}()
	for _, r := range s.Redirs {
		input, err := e.redirect(account, r)
		if err != nil {
			e.errorf("%v", err)
			e.status = 1
			e.exitIfFailed()
			return
		}
		if input != nil {
			opened = append(opened, input)
			e.in = input
		}
	}
	e.run(s.Cmd)
}

// redirect changes the streams as a redirection says. It returns the new standard input, or nil.
func (e *environment) redirect(
	account *command.Account, r *syntax.Redirect,
) (*command.Input, error) {
	descriptor := ""
	if r.N != nil {
		descriptor = r.N.Value
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		text := e.hereText(r)
		account.Grab(len(text))
		return command.NewInput(strings.NewReader(text), nil), nil
	case syntax.RdrIn:
		name := e.text(r.Word)
		input, err := e.files.Open(e.ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", name, command.Message(err))
		}
		return input, nil
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
		e.setOutput(descriptor, e.sink(e.text(r.Word)))
	case syntax.RdrAll, syntax.AppAll:
		to := e.sink(e.text(r.Word))
		e.out, e.err = to, to
	case syntax.DplOut:
		e.duplicate(descriptor, e.text(r.Word))
	}
	return nil, nil
}

// duplicate is >&.
func (e *environment) duplicate(descriptor, target string) {
	switch target {
	case "1":
		e.setOutput(descriptor, e.out)
	case "2":
		e.setOutput(descriptor, e.err)
	case "-":
		e.setOutput(descriptor, io.Discard)
	default:
		to := e.sink(target)
		e.out, e.err = to, to
	}
}

func (e *environment) setOutput(descriptor string, to io.Writer) {
	if descriptor == "2" {
		e.err = to
	} else {
		e.out = to
	}
}

// sink returns what writing to a path means.
func (e *environment) sink(path string) io.Writer {
	switch path {
	case "/dev/null":
		return io.Discard
	case "/dev/stdout":
		return e.out
	case "/dev/stderr":
		return e.err
	}
	panic(command.Abort{Err: refuseWriting(path)})
}

// isSink reports whether a path can be written.
func isSink(path string) bool {
	return path == "/dev/null" || path == "/dev/stdout" || path == "/dev/stderr"
}

func refuseWriting(path string) error {
	return command.Refuse("> %s writes, and nothing can be written here; leave it out to see the "+
		"output (>/dev/null and 2>&1 work)", path)
}

// checkRedirect refuses redirections that are not available.
func (e *environment) checkRedirect(r *syntax.Redirect) error {
	if r.N != nil && !slices.Contains([]string{"0", "1", "2"}, r.N.Value) {
		return command.Refuse("%s%s: only the descriptors 0, 1 and 2 are available here",
			r.N.Value, r.Op)
	}
	target, isLiteral := "", false
	if r.Word != nil {
		target, isLiteral = e.literalText(r.Word)
	}
	isInput := false
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		isInput = true
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		if isLiteral && !isSink(target) {
			return refuseWriting(target)
		}
	case syntax.DplOut:
		isDescriptor := target == "1" || target == "2" || target == "-" && r.N != nil && r.N.Value == "2"
		if isLiteral && !isDescriptor && !isSink(target) {
			return refuseWriting("&" + target)
		}
	default:
		return command.Refuse("%s: this redirection is not available here; use < or a pipe", r.Op)
	}
	if r.N != nil && isInput != (r.N.Value == "0") {
		return command.Refuse("%s%s: this descriptor is not available here", r.N.Value, r.Op)
	}
	return nil
}

// hereText returns the text of a here-document or a here-string.
func (e *environment) hereText(r *syntax.Redirect) string {
	if r.Op == syntax.WordHdoc {
		return e.text(r.Word) + "\n"
	}
	if r.Hdoc == nil {
		return ""
	}
	isQuoted := isQuotedWord(r.Word)
	text := r.Hdoc
	if r.Op == syntax.DashHdoc {
		text = withoutTabs(text, isQuoted)
	}
	if isQuoted {
		return text.Lit()
	}
	return e.document(text)
}

// indent and quotedIndent match the tabs that begin a line. The former first matches what a
// backslash quotes.
var (
	indent       = regexp.MustCompile(`(?s)(\\.)|(\n)\t+`)
	quotedIndent = regexp.MustCompile(`(\n)()\t+`)
)

// withoutTabs returns a here-document without the tabs that begin its lines.
func withoutTabs(w *syntax.Word, isQuoted bool) *syntax.Word {
	var parts []syntax.WordPart
	pattern := indent
	if isQuoted {
		pattern = quotedIndent
	}
	begins := true
	for _, p := range w.Parts {
		lit, isLit := p.(*syntax.Lit)
		if isLit {
			text := lit.Value
			if begins {
				text = strings.TrimLeft(text, "\t")
			}
			p = &syntax.Lit{Value: pattern.ReplaceAllString(text, "$1$2")}
		}
		begins = isLit && strings.HasSuffix(lit.Value, "\n")
		parts = append(parts, p)
	}
	return &syntax.Word{Parts: parts}
}

// isQuotedWord reports whether a part of a word is quoted.
func isQuotedWord(w *syntax.Word) bool {
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}
