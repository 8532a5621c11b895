//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"
)

// A server is a process that answers each line with a line.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// launch starts a server. It ends with ctx, or when it is stopped.
func launch(ctx context.Context, words, env []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, words[0], words[1:]...)}
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = &s.stderr
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 256<<10)
	return s, s.cmd.Start()
}

// tell writes a line that gets no answer.
func (s *server) tell(line string) error {
	_, err := io.WriteString(s.in, line+"\n")
	return err
}

// edge is how much of the beginning, and of the end, of a long answer is kept.
const edge = 4 << 10

// ask writes a line and reads the answer. A long one is returned without its middle, so that nothing large is held.
func (s *server) ask(line string) ([]byte, error) {
	if err := s.tell(line); err != nil {
		return nil, s.fail(err)
	}
	return s.hear()
}

// hear reads an answer.
func (s *server) hear() ([]byte, error) {
	var answer []byte
	for {
		piece, err := s.out.ReadSlice('\n')
		if len(piece) > 2*edge {
			piece = append(bytes.Clone(piece[:edge]), piece[len(piece)-edge:]...)
		}
		answer = append(answer, piece...)
		if len(answer) > 4*edge {
			answer = append(answer[:edge], answer[len(answer)-edge:]...)
		}
		if err == nil {
			return answer, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, s.fail(err)
		}
	}
}

// fail adds what the server said on its standard error.
func (s *server) fail(err error) error {
	s.stop()
	return fmt.Errorf("no answer: %w %.200s", err, s.stderr.String())
}

// cpu returns the user and system time that the process has used.
func (s *server) cpu() time.Duration {
	var t unix.Timespec
	clock := ^int32(s.cmd.Process.Pid)<<3 | 2 // the clock of a whole process, as clock_getcpuclockid(3) makes it
	if unix.ClockGettime(clock, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// peak returns the most memory that has been resident, in bytes.
func (s *server) peak() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return kibibytes(status, "VmHWM:")
}

// stop ends the process.
func (s *server) stop() {
	s.in.Close()
	s.cmd.Process.Kill()
	s.cmd.Wait()
}
