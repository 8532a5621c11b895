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
)

// A server is a process that answers each line of its input with a line of output.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// launch starts a server with additional environment variables. It runs until ctx is done or stop is called.
func launch(ctx context.Context, command, env []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
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

// send writes a line that gets no answer.
func (s *server) send(line string) error {
	_, err := io.WriteString(s.in, line+"\n")
	return err
}

// edge is how many bytes are kept of the beginning and of the end of a long answer.
const edge = 4 << 10

// ask writes a line and reads the answer. It drops the middle of a long answer, to keep this process small.
func (s *server) ask(line string) ([]byte, error) {
	if err := s.send(line); err != nil {
		return nil, s.fail(err)
	}
	return s.receive()
}

// receive reads an answer.
func (s *server) receive() ([]byte, error) {
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

// fail stops the server and adds its standard error to err.
func (s *server) fail(err error) error {
	s.stop()
	return fmt.Errorf("no answer: %w %.200s", err, s.stderr.String())
}

// peak returns the most memory that was resident, in bytes.
func (s *server) peak() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return kibibytes(status, "VmHWM:")
}

// stop kills the process.
func (s *server) stop() {
	s.in.Close()
	s.cmd.Process.Kill()
	s.cmd.Wait()
}
