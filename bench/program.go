//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// command returns a program that runs a command. Its output is dropped. A search that finds nothing
// exits with 1. The memory is known if the command prints /proc/self/status to standard error: the
// kernel's usage of a process includes the memory of the process that has started it.
func command(name string, argv ...string) program {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return program{name: name}
	}
	return program{name: name, measure: func(ctx context.Context) (sample, error) {
		cmd := exec.CommandContext(ctx, path, argv[1:]...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		start := time.Now()
		err := cmd.Run()
		s := sample{took: time.Since(start)}
		exit, ok := errors.AsType[*exec.ExitError](err)
		if err != nil && (!ok || exit.ExitCode() != 1) {
			return s, fmt.Errorf("%w: %s", err, &stderr)
		}
		s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		s.peak = peakMemory(stderr.String())
		return s, nil
	}}
}

// A call calls a tool.
type call struct {
	Tool string `json:"name"`
	Args args   `json:"arguments"`
}

type args = map[string]any

// A session is a sequence of calls to an MCP server on standard input and output.
type session struct {
	command []string
	before  []call // not measured
	timed   call
	refusal string // if not "", the error that the timed call returns
}

// call measures the last call.
func (s session) call(ctx context.Context) (sample, error) {
	return s.run(ctx, func(srv *server, _ time.Time) (sample, error) {
		start, before := time.Now(), processorTime(srv.pid)
		err := srv.call(s.timed, s.refusal)
		return sample{took: time.Since(start), cpu: processorTime(srv.pid) - before}, err
	})
}

// start measures from the start of the server to the result of the last call.
func (s session) start(ctx context.Context) (sample, error) {
	return s.run(ctx, func(srv *server, started time.Time) (sample, error) {
		err := srv.call(s.timed, s.refusal)
		return sample{took: time.Since(started)}, err
	})
}

// cancelAfter is the delay before a call is canceled.
const cancelAfter = 100 * time.Millisecond

// cancel cancels the last call, and measures until the server, which runs one call at a time, has
// answered another.
func (s session) cancel(ctx context.Context) (sample, error) {
	return s.run(ctx, func(srv *server, _ time.Time) (sample, error) {
		err := srv.send(srv.id, "tools/call", s.timed)
		time.Sleep(cancelAfter)
		start := time.Now()
		cancelled := args{"requestId": srv.id}
		srv.id++
		err = errors.Join(err, srv.send(0, "notifications/cancelled", cancelled),
			srv.call(s.before[0], ""))
		return sample{took: time.Since(start)}, err
	})
}

// run starts a server, makes the first calls, and measures.
func (s session) run(
	ctx context.Context, measure func(*server, time.Time) (sample, error),
) (sample, error) {
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return sample{}, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return sample{}, err
	}
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	srv := &server{pid: cmd.Process.Pid, in: in, out: json.NewDecoder(out), id: 1}
	if err := srv.initialize(); err != nil {
		return sample{}, err
	}
	for _, c := range s.before {
		if err := srv.call(c, ""); err != nil {
			return sample{}, err
		}
	}
	result, err := measure(srv, started)
	if err != nil {
		return sample{}, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", srv.pid))
	result.peak = peakMemory(string(status))
	return result, err
}

// A server is a running MCP server.
type server struct {
	pid int
	in  io.Writer
	out *json.Decoder
	id  int // the id that the next request gets
}

func (s *server) initialize() error {
	params := args{
		"protocolVersion": "2025-06-18", "capabilities": args{},
		"clientInfo": args{"name": "bench", "version": "1"},
	}
	if _, err := s.exchange("initialize", params); err != nil {
		return err
	}
	return s.send(0, "notifications/initialized", nil)
}

// call calls a tool. The result must be an error with the text refusal if it is not "".
func (s *server) call(c call, refusal string) error {
	result, err := s.exchange("tools/call", c)
	if err != nil {
		return err
	}
	failed := bytes.Contains(result, []byte(`"isError":true`))
	if failed != (refusal != "") || !bytes.Contains(result, []byte(refusal)) {
		return fmt.Errorf("result %.100s", result)
	}
	return nil
}

// exchange sends a request and returns its result.
func (s *server) exchange(method string, params any) (json.RawMessage, error) {
	if err := s.send(s.id, method, params); err != nil {
		return nil, err
	}
	s.id++
	for {
		var response struct {
			ID     int
			Result json.RawMessage
		}
		if err := s.out.Decode(&response); err != nil {
			return nil, err
		}
		if response.ID == s.id-1 {
			return response.Result, nil
		}
	}
}

// send sends a request, or a notification if id is 0.
func (s *server) send(id int, method string, params any) error {
	return json.NewEncoder(s.in).Encode(struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
}

// peakMemory returns the maximum resident memory in bytes in the status of a process, as in
// /proc/self/status, or 0 if there is none.
func peakMemory(status string) int64 {
	_, rest, _ := strings.Cut(status, "VmHWM:")
	value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kibibytes, _ := strconv.ParseInt(value, 10, 64) // 0 on error
	return kibibytes << 10
}

// processorTime returns the processor time of a process, or of this process if pid is 0. The result
// is 0 on error.
func processorTime(pid int) time.Duration {
	var t unix.Timespec
	clock := ^pid<<3 | 2 // as clock_getcpuclockid(3) makes it: the process's, by the scheduler
	if err := unix.ClockGettime(int32(clock), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
