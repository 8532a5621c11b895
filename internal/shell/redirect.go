package shell

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// redirected runs a command with its redirections. The words of a simple command are expanded
// before them.
func (e *environment) redirected(s *syntax.Stmt) {
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		e.simple(c, s.Redirs)
		return
	}
	e.redirect(s.Redirs, func() { e.run(s.Cmd) })
}

// redirect calls f with the streams that redirections name.
func (e *environment) redirect(list []*syntax.Redirect, f func()) {
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
	for _, r := range list {
		input, err := e.open(account, r)
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
	f()
}

// open changes the streams as a redirection says. It returns the new standard input, or nil.
func (e *environment) open(
	account *command.Account, r *syntax.Redirect,
) (*command.Input, error) {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		text := e.hereText(r)
		account.Grab(len(text))
		return command.NewInput(strings.NewReader(text), nil), nil
	case syntax.RdrIn:
		name := e.text(r.Word)
		input, err := e.files.Open(e.ctx, name)
		if err != nil {
			return nil, fileError{name, err}
		}
		return input, nil
	}
	to, isBoth, err := e.output(r, e.text(r.Word))
	if err != nil {
		panic(command.Abort{Err: err})
	}
	isError := descriptor(r) == "2"
	if isBoth || isError {
		e.err = to
	}
	if isBoth || !isError {
		e.out = to
	}
	return nil, nil
}

// descriptor returns the number before a redirection, or "".
func descriptor(r *syntax.Redirect) string {
	if r.N == nil {
		return ""
	}
	return r.N.Value
}

// output returns what a redirection to a target writes to, and whether both outputs do. The error
// is a refusal.
func (e *environment) output(
	r *syntax.Redirect, target string,
) (to io.Writer, both bool, err error) {
	duplicates := r.Op == syntax.DplOut
	switch {
	case target == "/dev/null", duplicates && target == "-" && descriptor(r) == "2":
		to = io.Discard
	case target == "/dev/stdout", duplicates && target == "1":
		to = e.out
	case target == "/dev/stderr", duplicates && target == "2":
		to = e.err
	case duplicates:
		err = refuseWriting("&" + target)
	default:
		err = refuseWriting(target)
	}
	isFile := duplicates && strings.HasPrefix(target, "/")
	return to, isFile || r.Op == syntax.RdrAll || r.Op == syntax.AppAll, err
}

func refuseWriting(path string) error {
	return command.Refuse("> %s writes, and nothing can be written here; leave it out to see the "+
		"output (>/dev/null and 2>&1 work)", path)
}

// isInput reports whether a redirection is of the input.
func isInput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	}
	return false
}

// checkRedirect refuses redirections that are not available.
func (e *environment) checkRedirect(r *syntax.Redirect) error {
	if !slices.Contains([]string{"", "0", "1", "2"}, descriptor(r)) {
		return command.Refuse("%s%s: only the descriptors 0, 1 and 2 are available here",
			r.N.Value, r.Op)
	}
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.DplOut:
		if target, isLiteral := e.literalText(r.Word); isLiteral {
			if _, _, err := e.output(r, target); err != nil {
				return err
			}
		}
	default:
		return command.Refuse("%s: this redirection is not available here; use < or a pipe", r.Op)
	}
	if (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && len(r.Word.Parts) > 1 {
		return command.Refuse("<<: a delimiter is quoted as a whole here")
	}
	if r.N != nil && isInput(r) != (r.N.Value == "0") {
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
