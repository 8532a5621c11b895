package pdf

import (
	"context"
	"sync"
	"time"

	"gander/internal/admission"
)

// idle is the time without a file after which PDFium is forgotten.
const idle = time.Minute

// initialMemory is the minimum size of an instance in bytes.
const initialMemory = 2 << 20

// An engine shares the compiled program between the files that are read.
type engine struct {
	slots chan struct{} // contains one value for each file that is read

	mu      sync.Mutex
	program *program    // nil if it is not compiled
	expiry  *time.Timer // forgets the program
}

func newEngine() *engine {
	e := &engine{slots: make(chan struct{}, maxInstances)}
	e.expiry = time.AfterFunc(idle, e.forget)
	return e
}

// acquire returns the program for reading a file, which ends with release. It waits until memory is free,
// fewer files are read, and the program is compiled, or ctx is done.
func (e *engine) acquire(ctx context.Context) (*program, error) {
	// A call that waits for memory while it has a slot could block those that free memory.
	if err := admission.Reserve(ctx, initialMemory); err != nil {
		return nil, err
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		admission.Release(ctx, initialMemory)
		return nil, ctx.Err()
	}
	p := e.use()
	err := p.wait(ctx)
	if err != nil {
		if ctx.Err() == nil {
			e.drop(p)
		}
		e.release(ctx)
		return nil, err
	}
	return p, nil
}

// release ends the reading of a file.
func (e *engine) release(ctx context.Context) {
	<-e.slots
	e.expiry.Reset(idle)
	admission.Release(ctx, initialMemory)
}

// use returns the program, and compiles it in the background if necessary.
func (e *engine) use() *program {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.program == nil {
		e.program = compile()
	}
	return e.program
}

// drop frees a program that could not be compiled. The next file tries again.
func (e *engine) drop(p *program) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.program != p { // another file has dropped it
		return
	}
	go p.close()
	e.program = nil
}

// forget frees the program, unless a file is read, after which it is called again.
func (e *engine) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.slots) > 0 || e.program == nil {
		return
	}
	go e.program.close()
	e.program = nil
}
