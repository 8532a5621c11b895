package shell

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

const (
	maxGoroutines = 64
	pipeSize      = 64 << 10
	// stageSize is the memory of the buffers of a command that runs.
	stageSize = 80 << 10
)

// A stage is a command of a pipeline.
type stage struct {
	statement *syntax.Stmt
	all       bool // its standard error is piped, too
}

// stages returns the commands of a pipeline.
func stages(list []stage, s *syntax.Stmt, all bool) []stage {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	isPipe := ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll)
	if !isPipe || len(s.Redirs) > 0 || s.Negated {
		return append(list, stage{s, all})
	}
	list = stages(list, b.X, b.Op == syntax.PipeAll)
	return stages(list, b.Y, all)
}

// pipeline runs the commands of a pipeline at the same time, each in a subshell. If one is stopped,
// all are, and the script.
func (e *environment) pipeline(c *syntax.BinaryCmd) {
	list := stages(nil, &syntax.Stmt{Cmd: c, Position: c.Pos()}, false)
	statuses := make([]int, len(list))
	account := e.newAccount("the pipes")
	defer account.Release()
	ctx, cancel := context.WithCancelCause(e.ctx)
	defer cancel(nil)
	run := func(f func()) {
		if err := guard(f); err != nil {
			cancel(err)
		}
	}
	var others sync.WaitGroup
	run(func() {
		var read *pipe
		for i, stage := range list {
			s := e.sub(ctx)
			in, out := read, (*pipe)(nil)
			isLast := i == len(list)-1
			if !isLast {
				account.Grab(pipeSize)
				out = newPipe(ctx)
				s.out = out
				if stage.all {
					s.err = out
				}
			}
			read = out
			body := func() {
				defer s.release()
				s.stage(stage.statement, in, out)
				statuses[i] = s.status
			}
			if isLast {
				body()
				continue
			}
			e.countCommand()
			others.Go(func() {
				defer e.running.Add(-1)
				run(body)
			})
		}
	})
	others.Wait()
	if ctx.Err() != nil {
		panic(command.Abort{Err: context.Cause(ctx)})
	}
	e.status = statuses[len(statuses)-1]
	for i := len(statuses) - 1; e.options.pipefail && i >= 0 && e.status == 0; i-- {
		e.status = statuses[i]
	}
}

// countCommand counts a command that runs at the same time as others.
func (e *environment) countCommand() {
	if e.running.Add(1) > maxGoroutines {
		e.running.Add(-1)
		panic(command.Abort{Err: fmt.Errorf(
			"more than %d commands run at the same time; use fewer pipes", maxGoroutines)})
	}
}

// stage runs a command between two pipes, which can be nil.
func (e *environment) stage(s *syntax.Stmt, read, write *pipe) {
	account := e.newAccount("the buffers")
	defer account.Release()
	account.Grab(stageSize)
	if write != nil {
		defer write.close()
	}
	if read != nil {
		e.in = command.NewInput(read, nil)
		defer e.in.Close()
		defer read.stop()
	}
	if _, isSimple := s.Cmd.(*syntax.CallExpr); !isSimple {
		e.isSubshell = true
	}
	e.contain(func() { e.statement(s) })
}

// A pipe is a buffer between two goroutines. It is not for more, except that several can write.
type pipe struct {
	ctx context.Context // of the pipeline

	mu      sync.Mutex
	changed sync.Cond
	buffer  []byte      // what is written and not read, at most pipeSize bytes
	closed  atomic.Bool // nothing is written any more
	stopped atomic.Bool // nothing is read any more
	unwatch func() bool // ends the wait for the end of ctx
}

func newPipe(ctx context.Context) *pipe {
	p := &pipe{ctx: ctx, buffer: make([]byte, 0, pipeSize)}
	p.changed.L = &p.mu
	p.unwatch = context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changed.Broadcast()
	})
	return p
}

// Read implements io.Reader.
func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.buffer) == 0 && !p.closed.Load() && p.ctx.Err() == nil {
		p.changed.Wait()
	}
	switch {
	case p.ctx.Err() != nil:
		return 0, context.Cause(p.ctx)
	case len(p.buffer) == 0:
		return 0, io.EOF
	}
	n := copy(b, p.buffer)
	p.buffer = p.buffer[:copy(p.buffer, p.buffer[n:])]
	p.changed.Broadcast()
	return n, nil
}

// Write implements io.Writer. It fails if nobody reads any more.
func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for rest := b; len(rest) > 0; {
		for len(p.buffer) == pipeSize && !p.stopped.Load() && p.ctx.Err() == nil {
			p.changed.Wait()
		}
		if p.stopped.Load() || p.ctx.Err() != nil {
			return 0, io.ErrClosedPipe
		}
		n := min(pipeSize-len(p.buffer), len(rest))
		p.buffer = append(p.buffer, rest[:n]...)
		rest = rest[n:]
		p.changed.Broadcast()
	}
	return len(b), nil
}

// close ends the writing.
func (p *pipe) close() { p.end(&p.closed) }

// stop ends the reading.
func (p *pipe) stop() { p.end(&p.stopped) }

func (p *pipe) end(side *atomic.Bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	side.Store(true)
	p.changed.Broadcast()
	if p.closed.Load() && p.stopped.Load() {
		p.unwatch()
	}
}

// Stopped implements [command.Stopper].
func (p *pipe) Stopped() bool { return p.stopped.Load() }

// A capture keeps what is written. It is safe for concurrent use.
type capture struct {
	mu      sync.Mutex
	account *command.Account
	data    []byte
}

// Write implements io.Writer.
func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.data = command.Append(c.account, c.data, b...)
	return len(b), nil
}

// trimmed returns the data as bash does: without NUL, and without line feeds at the end.
func (c *capture) trimmed() []byte {
	text := slices.DeleteFunc(c.data, func(b byte) bool { return b == 0 })
	return bytes.TrimRight(text, "\n")
}

// once returns a function that returns the data as an input, and an empty one after the first time,
// as a pipe has nothing left.
func (c *capture) once() func() *command.Input {
	var isRead atomic.Bool
	return func() *command.Input {
		if isRead.Swap(true) {
			return command.NoInput()
		}
		return command.NewInput(bytes.NewReader(c.data), nil)
	}
}
