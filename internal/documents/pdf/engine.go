package pdf

import (
	"context"
	"sync"
	"time"

	"gander/internal/admission"
)

// idle is the time without a file after which PDFium is forgotten.
const idle = time.Minute

// An engine shares the compiled program between the files that are read.
type engine struct {
	instances *admission.Pool

	mu      sync.Mutex
	reading int         // files that are read, or wait for it
	program *program    // nil if it is not compiled
	expiry  *time.Timer // forgets the program
}

func newEngine() *engine {
	e := &engine{instances: admission.NewPool(maxInstances, keptInstances, 1)}
	e.expiry = time.AfterFunc(idle, e.forget)
	return e
}

// acquire returns the program for reading a file, which ends with release. It waits until memory
// and an instance are free, and the program is compiled, or ctx is done.
func (e *engine) acquire(ctx context.Context, b bounds) (*program, *admission.Hold, error) {
	// A call that waits for memory while it has an instance could block those that free memory.
	if err := admission.Reserve(ctx, b.reserved); err != nil {
		return nil, nil, err
	}
	instance := e.instances.Open(admission.CallerOf(ctx))
	p := e.use()
	err := instance.Wait(ctx, 1)
	if err == nil {
		err = p.wait(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			e.drop(p)
		}
		e.release(ctx, instance, b)
		return nil, nil, err
	}
	return p, instance, nil
}

// release ends the reading of a file.
func (e *engine) release(ctx context.Context, instance *admission.Hold, b bounds) {
	instance.End()
	admission.Release(ctx, b.reserved)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading--
	e.expiry.Reset(idle)
}

// use returns the program, and compiles it in the background if necessary.
func (e *engine) use() *program {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading++
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
	if e.reading > 0 || e.program == nil {
		return
	}
	go e.program.close()
	e.program = nil
}
