package shell

import (
	"strconv"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// part adds the value of an expansion.
func (x *expander) part(p syntax.WordPart, isQuoted bool) {
	defer x.e.enter().ascend()
	switch p := p.(type) {
	case *syntax.ParamExp:
		x.parameter(p, isQuoted)
	case *syntax.CmdSubst:
		x.value(x.substitution(p), isQuoted)
	case *syntax.ArithmExp:
		x.value(strconv.FormatInt(x.e.number(p.X), 10), isQuoted)
	case *syntax.ProcSubst:
		x.add(x.e.process(p), true)
	}
}

// substitution returns what commands print, without line feeds at the end, and counts it.
func (x *expander) substitution(p *syntax.CmdSubst) string {
	e := x.e
	captured := &capture{account: e.newAccount("$( )")}
	defer captured.account.Release()
	e.subshell(func(s *environment) {
		s.out = captured
		s.options.errexit = false // as in bash outside of its POSIX mode
		s.substitute(p.Stmts)
	})
	status := e.status
	e.substituted = &status
	text := captured.trimmed()
	x.account.Grab(len(text))
	return string(text)
}

// substitute runs the commands of a substitution.
func (e *environment) substitute(list []*syntax.Stmt) {
	if name := readsFile(list); name != nil {
		e.status = e.command([]string{"cat", "--", e.text(name)}, e.in, nil, "cat")
		return
	}
	e.statements(list)
}

// readsFile returns the name in $(<NAME), or nil.
func readsFile(list []*syntax.Stmt) *syntax.Word {
	if len(list) != 1 || list[0].Cmd != nil || len(list[0].Redirs) != 1 {
		return nil
	}
	redirect := list[0].Redirs[0]
	if redirect.Op != syntax.RdrIn || redirect.N != nil {
		return nil
	}
	return redirect.Word
}

// process runs a process substitution, and returns the path of its output. The commands end before
// that is read.
func (e *environment) process(p *syntax.ProcSubst) string {
	status := e.status
	text := &capture{account: e.newAccount("<( )")}
	name := "/dev/fd/" + strconv.Itoa(63-len(e.processes))
	e.processes = append(e.processes, process{name: name, account: text.account})
	e.subshell(func(s *environment) {
		s.out = text
		s.substitute(p.Stmts)
	})
	e.status = status
	e.files.Special[name] = text.once()
	return name
}

// A process is a process substitution, which exists until its command has ended.
type process struct {
	name    string
	account *command.Account
}

// endProcesses ends the process substitutions after the first n.
func (e *environment) endProcesses(n int) {
	for _, p := range e.processes[n:] {
		delete(e.files.Special, p.name)
		p.account.Release()
	}
	e.processes = e.processes[:n]
}
