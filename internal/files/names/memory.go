package names

import (
	"context"
	"time"

	"gander/internal/files/workspace"
)

const (
	// smallShare is how much the lists of one call may hold, in bytes, as long as it is not its turn to hold more.
	smallShare = 512 << 10
	// largeShare is how much they may hold while it is.
	largeShare = 20 << 20
	// maxTurnWait is how long a call waits for its turn with each list. It goes on with its small share then, and reads the
	// directory more often: the call that has the turn may be waiting for this one.
	maxTurnWait = 3 * time.Second
)

// A Memory bounds what the lists of one call hold together. Of all calls on a workspace, only one at a time may hold more than
// a small share; the others wait for their turn. A Memory is for one goroutine at a time, and must be released.
type Memory struct {
	turn   workspace.Turn
	held   int  // by lists
	asked  bool // for the turn, with the present list
	leave  func()
	shares struct{ small, large int } // the constants, except in tests
}

// NewMemory returns the memory of a call on a workspace whose turns those are.
func NewMemory(turn workspace.Turn) *Memory {
	m := &Memory{turn: turn}
	m.shares.small, m.shares.large = smallShare, largeShare
	return m
}

// room returns how much another list may hold.
func (m *Memory) room() int {
	if m.leave != nil {
		return m.shares.large - m.held
	}
	return m.shares.small - m.held
}

// begin begins another list in the memory of one that is no longer used.
func (m *Memory) begin(reuse List) {
	m.Forget(reuse)
	m.asked = false
}

// grow waits for the call's turn, unless it is the call's turn or grow has already waited with this list. The error is that of
// ctx.
func (m *Memory) grow(ctx context.Context) error {
	if m.leave != nil {
		return nil
	}
	wait := maxTurnWait
	if m.asked {
		wait = 0
	}
	m.asked = true
	m.leave = m.turn.Wait(ctx, wait)
	return ctx.Err()
}

// Forget says that something else accounts for a list, such as a cache.
func (m *Memory) Forget(l List) { m.held -= l.Bytes() }

// Release ends the call's turn.
func (m *Memory) Release() {
	if m.leave != nil {
		m.leave()
		m.leave = nil
	}
}
