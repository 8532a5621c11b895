package shell

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// timedOut is the status of a command whose time was over.
const timedOut = 124

// runTimeout runs a command for at most a duration.
func runTimeout(e *environment, c *command.Call, a command.Arguments) int {
	if len(a.Operands) < 2 {
		c.Fatalf(125, "missing operand")
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(a.Operands[0], "s"), 64)
	if err != nil || seconds < 0 {
		command.Stop("timeout %s: only a number of seconds is available here", a.Operands[0])
	}
	const longest = 1e6
	duration := time.Duration(min(seconds, longest) * float64(time.Second))
	ctx := e.ctx
	if duration > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, duration, errTimeout)
		defer cancel()
		ctx = limited
	}
	s := e.sub(ctx)
	defer s.release()
	status := 0
	c.Out.Flush()
	err = guard(func() { status = s.program(a.Operands[1:], c.In, nil) })
	switch {
	case errors.Is(err, errTimeout) && e.ctx.Err() == nil:
		return timedOut
	case err != nil:
		panic(command.Abort{Err: err})
	}
	return status
}

// errTimeout is why a command ends whose time is over.
var errTimeout = errors.New("timeout: the time is over")

// time runs a command and writes how long it took.
func (e *environment) time(c *syntax.TimeClause) {
	start := time.Now()
	if c.Stmt != nil {
		e.statement(c.Stmt)
	}
	fmt.Fprintf(e.err, "\nreal\t%s\nuser\t0m0.000s\nsys\t0m0.000s\n", minutes(time.Since(start)))
}

// minutes returns a duration as time writes it.
func minutes(d time.Duration) string {
	seconds := (d % time.Minute).Truncate(time.Millisecond).Seconds()
	return fmt.Sprintf("%dm%.3fs", d/time.Minute, seconds)
}
