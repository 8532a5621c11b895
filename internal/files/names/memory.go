package names

import (
	"context"
	"time"

	"gander/internal/admission"
)

const (
	// smallShare is the number of bytes that the lists of a walk can always hold.
	smallShare = 512 << 10
	// largeShare is the number of bytes that they can hold once reserved bytes are reserved, which
	// include the copy that a removal makes.
	largeShare = 20 << 20
	reserved   = 24 << 20
	// maxWait is the maximum time to wait for the large share. It then continues with the small one
	// and reads directories more often: a disk may block the calls that hold the memory.
	maxWait = 3 * time.Second
)

// A Memory limits what the lists of a walk hold together. It is not safe for concurrent use.
type Memory struct {
	ctx   context.Context
	held  int  // bytes of lists
	tried bool // to reserve the large share
	large bool // the large share is reserved
}

// NewMemory returns the memory of a walk in the call of ctx. The caller calls Release after it.
func NewMemory(ctx context.Context) *Memory { return &Memory{ctx: ctx} }

// Available returns the number of bytes that another list can hold.
func (m *Memory) Available() int {
	if m.large {
		return largeShare - m.held
	}
	return smallShare - m.held
}

// Grow tries once to reserve the large share. The error is that of the call's context.
func (m *Memory) Grow() error {
	if m.tried {
		return nil
	}
	m.tried = true
	ctx, cancel := context.WithTimeout(m.ctx, maxWait)
	defer cancel()
	m.large = admission.Reserve(ctx, reserved) == nil
	return m.ctx.Err()
}

// Forget removes a list that is no longer used, or that something else accounts for.
func (m *Memory) Forget(l List) { m.held -= l.Bytes() }

// Release releases the large share. It can be called again.
func (m *Memory) Release() {
	if m.large {
		admission.Release(m.ctx, reserved)
		m.large = false
	}
}
