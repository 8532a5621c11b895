package names

import (
	"context"
	"time"

	"gander/internal/admission"
)

const (
	// smallShare is the quota in bytes that every walk has.
	smallShare = 512 << 10
	// reserved is the quota in bytes of a walk that has reserved it.
	reserved = 24 << 20
	// maxWait is the maximum time to wait for the large quota. A walk then continues with the small
	// quota and reads directories more often, because a disk may block the calls that hold the memory.
	maxWait = 3 * time.Second
)

// A Memory holds the names of all directories of a walk, in a limited number of bytes. It is not
// safe for concurrent use.
type Memory struct {
	ctx   context.Context // of the call that the memory is reserved for
	quota int             // the maximum number of bytes of lists
	held  int             // bytes of lists
	tried bool            // a reservation was tried
	large bool            // the large quota is reserved

	top *topK // makes all lists
}

// NewMemory returns the memory of a walk in the call of ctx. The caller calls Release after it.
func NewMemory(ctx context.Context) *Memory {
	m := &Memory{ctx: ctx, quota: smallShare}
	m.top = &topK{memory: m}
	return m
}

// available returns the number of bytes that another list can hold.
func (m *Memory) available() int { return m.quota - m.held }

// grow tries once to reserve the large quota. It returns an error only if the call's context is
// done.
func (m *Memory) grow() error {
	if m.tried {
		return nil
	}
	m.tried = true
	ctx, cancel := context.WithTimeout(m.ctx, maxWait)
	defer cancel()
	if admission.Reserve(ctx, reserved) == nil {
		m.quota, m.large = reserved, true
	}
	return m.ctx.Err()
}

// Release releases the large quota. It can be called more than once.
func (m *Memory) Release() {
	if m.large {
		admission.Release(m.ctx, reserved)
		m.quota, m.large = smallShare, false
	}
}
