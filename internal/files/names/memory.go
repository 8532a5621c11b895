package names

import (
	"context"
	"time"

	"gander/internal/admission"
)

const (
	// smallShare is the number of bytes that the lists of a walk can always hold.
	smallShare = 512 << 10
	// largeShare is the number of bytes that they can hold once it is reserved.
	largeShare = 20 << 20
	// maxWait is how long a list waits for the large share. It then continues with the small one
	// and reads the directory more often: the calls that hold memory may be blocked by a disk.
	maxWait = 3 * time.Second
)

// A Memory limits what the lists of a walk hold together. It is not safe for concurrent use.
type Memory struct {
	ctx   context.Context
	held  int  // bytes of lists
	asked bool // for the large share, with the current list
	large bool // the large share is reserved
}

// NewMemory returns the memory of a walk in the call of ctx. The caller calls Release after it.
func NewMemory(ctx context.Context) *Memory { return &Memory{ctx: ctx} }

// room returns how many bytes another list can hold.
func (m *Memory) room() int {
	if m.large {
		return largeShare - m.held
	}
	return smallShare - m.held
}

// begin starts another list in the memory of one that is no longer used.
func (m *Memory) begin(reuse List) {
	m.Forget(reuse)
	m.asked = false
}

// grow tries once for each list to reserve the large share. The error is that of the call's context.
func (m *Memory) grow() error {
	if m.large || m.asked {
		return nil
	}
	m.asked = true
	ctx, cancel := context.WithTimeout(m.ctx, maxWait)
	defer cancel()
	m.large = admission.Reserve(ctx, largeShare) == nil
	return m.ctx.Err()
}

// Forget removes a list that something else accounts for, such as a cache.
func (m *Memory) Forget(l List) { m.held -= l.Bytes() }

// Release releases the large share. It can be called again.
func (m *Memory) Release() {
	if m.large {
		admission.Release(m.ctx, largeShare)
		m.large = false
	}
}
