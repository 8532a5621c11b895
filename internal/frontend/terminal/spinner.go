package terminal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// patience is how long a command works before a spinner shows that it does.
	patience = 500 * time.Millisecond
	frame    = 100 * time.Millisecond
)

// A Spinner shows on a terminal that something is being done. Nil shows nothing.
type Spinner struct {
	once       sync.Once
	stop, done chan struct{}
}

// Spin shows a spinner with what count says on w after half a second, until it is stopped. Where w is no terminal that can
// take a line back, it returns nil.
func Spin(w io.Writer, getenv func(string) string, count func() string) *Spinner {
	if _, ok := Terminal(w); !ok || getenv("TERM") == "dumb" {
		return nil
	}
	frames := []rune(`|/-\`)
	if unicodeLocale(getenv) {
		frames = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	}
	s := &Spinner{stop: make(chan struct{}), done: make(chan struct{})}
	go s.run(w, frames, count)
	return s
}

func (s *Spinner) run(w io.Writer, frames []rune, count func() string) {
	defer close(s.done)
	next := time.NewTimer(patience)
	defer next.Stop()
	for i := 0; ; i++ {
		select {
		case <-s.stop:
			if i > 0 {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		case <-next.C:
			fmt.Fprintf(w, "\r%c %s\x1b[K", frames[i%len(frames)], count())
			next.Reset(frame)
		}
	}
}

// Stop takes the spinner off the terminal. Stopping again does nothing.
func (s *Spinner) Stop() {
	if s == nil {
		return
	}
	s.once.Do(func() { close(s.stop) })
	<-s.done
}
