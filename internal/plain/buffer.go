package plain

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// flushAfter is how long a result can wait for others to be written with it.
const flushAfter = 10 * time.Millisecond

// A buffer is a buffered writer, which is safe for concurrent use. What is written first passes it
// at once, and everything else within flushAfter. After an error of the writer nothing is written.
type buffer struct {
	timer *time.Timer

	mu      sync.Mutex // guards the fields below, which the timer uses
	out     *bufio.Writer
	started bool
}

func newBuffer(w io.Writer) *buffer {
	b := &buffer{out: bufio.NewWriterSize(w, 32<<10)}
	b.timer = time.AfterFunc(flushAfter, func() { _ = b.flush() })
	return b
}

func (b *buffer) flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Flush()
}

func (b *buffer) close() error {
	b.timer.Stop()
	return b.flush()
}

func (b *buffer) write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out.Buffered() == 0 {
		b.timer.Reset(flushAfter)
	}
	n, err := b.out.Write(p)
	if err == nil && !b.started {
		b.started = true
		err = b.out.Flush()
	}
	return n, err
}

func (b *buffer) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.out.Write(nil) // a bufio.Writer keeps its error
	return err
}
