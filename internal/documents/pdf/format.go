package pdf

import (
	"context"
	"sync"
	"time"

	"gander/internal/admission"
)

// idle is the time without a file after which PDFium is forgotten.
const idle = time.Minute

// A Format reads PDF files. PDFium is compiled when the first file is read, which takes about a
// second, and forgotten after a minute without a file. At most two files are read at a time, and
// two more for clients of which none is read.
type Format struct {
	instances *admission.Pool

	mu      sync.Mutex
	reading int         // files that are read, or wait for it
	program *program    // shared between them; nil if it is not compiled
	expiry  *time.Timer // forgets the program
}

// New returns the format.
func New() *Format {
	f := &Format{instances: admission.NewPool(maxInstances, keptInstances, 1)}
	f.expiry = time.AfterFunc(idle, func() {
		f.forget(func() bool { return f.reading == 0 }) // after others, this is called again
	})
	return f
}

// acquire returns the program for reading a file, which ends with release. It waits until memory
// and an instance are free, and the program is compiled, or ctx is done.
func (f *Format) acquire(ctx context.Context, b bounds) (*program, *admission.Hold, error) {
	// A call that waits for memory while it has an instance could block those that free memory.
	if err := admission.Reserve(ctx, b.reserved); err != nil {
		return nil, nil, err
	}
	instance := f.instances.Open(admission.CallerOf(ctx))
	p := f.use()
	err := instance.Wait(ctx, 1)
	if err == nil {
		err = p.wait(ctx)
	}
	if err != nil {
		if ctx.Err() == nil { // the program cannot be compiled: the next file tries again
			f.forget(func() bool { return f.program == p })
		}
		f.release(ctx, instance, b)
		return nil, nil, err
	}
	return p, instance, nil
}

// release ends the reading of a file.
func (f *Format) release(ctx context.Context, instance *admission.Hold, b bounds) {
	instance.End()
	admission.Release(ctx, b.reserved)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading--
	f.expiry.Reset(idle)
}

// use returns the program, and compiles it in the background if necessary.
func (f *Format) use() *program {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading++
	if f.program == nil {
		f.program = compile()
	}
	return f.program
}

// forget frees the program, if there is one that is no longer wanted.
func (f *Format) forget(isUnwanted func() bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.program != nil && isUnwanted() {
		go f.program.close()
		f.program = nil
	}
}
