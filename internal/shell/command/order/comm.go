package order

import (
	"bytes"
	"context"
	"io"

	"gander/internal/shell/command"
)

// A comparison is a comm with its options.
type comparison struct {
	hidden    [3]bool // its columns
	isChecked bool    // behind a line of only one file

	c      *command.Call
	sides  [2]side
	status int
}

// A side is one of the files.
type side struct {
	in       *command.Input
	reader   command.Lines
	line     []byte
	before   []byte // the line before it
	hasLine  bool
	reported bool
}

func prepareComm(a command.Arguments) (command.Run, error) {
	k := comparison{hidden: [3]bool{a.Has("-1"), a.Has("-2"), a.Has("-3")}}
	switch {
	case len(a.Operands) < 2:
		return nil, a.MissingOperand()
	case len(a.Operands) > 2:
		return nil, a.ExtraOperand(2)
	}
	return func(ctx context.Context, c *command.Call) int {
		k := k
		k.c = c
		for i, name := range a.Operands {
			k.sides[i].in = c.MustOpen(ctx, name, command.Failures{}, 1)
			defer k.sides[i].in.Close()
			k.sides[i].reader = command.Lines{Account: c.Account, End: '\n'}
		}
		k.run(a.Operands)
		if k.status != 0 {
			c.Errorf("input is not in sorted order")
		}
		return k.status
	}, nil
}

func (k *comparison) run(names []string) {
	next := func(i int) {
		s := &k.sides[i]
		s.before, s.line = s.line, s.before
		text, _, err := s.reader.Next(s.in)
		if err != nil && err != io.EOF {
			k.c.Fatalf(1, "%s: %s", command.Quote(names[i], false), command.Message(err))
		}
		hadLine := s.hasLine
		s.hasLine = err == nil
		s.line = keep(k.c.Account, s.line, text)
		if hadLine && s.hasLine {
			k.checkOrder(i)
		}
	}
	next(0)
	next(1)
	for k.sides[0].hasLine || k.sides[1].hasLine {
		order := bytes.Compare(k.sides[0].line, k.sides[1].line)
		switch {
		case !k.sides[1].hasLine:
			order = -1
		case !k.sides[0].hasLine:
			order = 1
		}
		k.isChecked = k.isChecked || order != 0
		if order <= 0 {
			k.print(map[bool]int{true: 2, false: 0}[order == 0], k.sides[0].line)
		} else {
			k.print(1, k.sides[1].line)
		}
		if order <= 0 {
			next(0)
		}
		if order >= 0 {
			next(1)
		}
	}
}

// checkOrder reports the first line of a side that is before its predecessor.
func (k *comparison) checkOrder(i int) {
	s := &k.sides[i]
	if !k.isChecked || s.reported || bytes.Compare(s.before, s.line) <= 0 {
		return
	}
	k.c.Errorf("file %d is not in sorted order", i+1)
	s.reported = true
	k.status = 1
}

func (k *comparison) print(column int, line []byte) {
	if k.hidden[column] {
		return
	}
	for i := range column {
		if !k.hidden[i] {
			k.c.Out.WriteByte('\t')
		}
	}
	k.c.Out.Line(line)
}
