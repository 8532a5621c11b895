package pdf

import (
	"context"
	"sync"
	"time"

	"gander/internal/admission"
)

// idle is the time without a file after which PDFium is forgotten.
const idle = time.Minute

const (
	// initialMemory is what an instance takes at least, in bytes.
	initialMemory = 2 << 20
	// keptMemory is the maximum size of a buffer that is kept for the next file, in bytes.
	keptMemory = 8 << 20
)

// An engine shares the compiled program between the files that are read.
type engine struct {
	buffers chan *buffer // one for each file that can be read in addition

	mu      sync.Mutex
	program *program // nil if it is not compiled
	users   int
	expiry  *time.Timer // forgets the program
}

// A buffer is for the memory of an instance, one after the other.
type buffer struct {
	bytes []byte
}

func newEngine() *engine {
	e := &engine{buffers: make(chan *buffer, maxInstances)}
	for range maxInstances {
		e.buffers <- new(buffer)
	}
	return e
}

// acquire returns the program and a buffer for reading a file, which ends with release. It waits
// until memory is free, fewer files are read, and the program is compiled, or ctx is done.
func (e *engine) acquire(ctx context.Context) (*program, *buffer, error) {
	// A call that waits for memory while it has a buffer could block those that free memory.
	if err := admission.Reserve(ctx, initialMemory); err != nil {
		return nil, nil, err
	}
	select {
	case b := <-e.buffers:
		p := e.use()
		err := p.wait(ctx)
		if err != nil {
			e.release(ctx, b)
			return nil, nil, err
		}
		return p, b, nil
	case <-ctx.Done():
		admission.Release(ctx, initialMemory)
		return nil, nil, ctx.Err()
	}
}

// release ends the reading of a file.
func (e *engine) release(ctx context.Context, b *buffer) {
	if len(b.bytes) > keptMemory {
		b.bytes = nil
	}
	e.mu.Lock()
	e.users--
	if e.users == 0 {
		e.expiry = time.AfterFunc(idle, e.forget)
	}
	e.mu.Unlock()
	e.buffers <- b
	admission.Release(ctx, initialMemory)
}

// use returns the program, and compiles it in the background if necessary.
func (e *engine) use() *program {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.expiry != nil {
		e.expiry.Stop()
		e.expiry = nil
	}
	e.users++
	if e.program == nil {
		e.program = compile()
	}
	return e.program
}

// forget frees the program, unless a file is read.
func (e *engine) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.users > 0 || e.program == nil {
		return
	}
	go e.program.close()
	e.program = nil
	for range maxInstances {
		select {
		case <-e.buffers:
			e.buffers <- new(buffer)
		default: // calls that wait for the lock have the others
		}
	}
}
