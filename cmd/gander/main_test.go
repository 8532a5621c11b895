package main

import (
	"bufio"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gander/internal/testkit/fixture"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gander": main})
}

func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows sends no signals")
	}
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 0}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			var stderr strings.Builder
			cmd := exec.Command("gander", "mcp", "--root", t.TempDir())
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			fixture.Must(t, err)
			out, err := cmd.StdoutPipe()
			fixture.Must(t, err)
			fixture.Must(t, cmd.Start())
			// After the response it waits for input.
			const request = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` +
				`"protocolVersion":"2025-11-25","capabilities":{},` +
				`"clientInfo":{"name":"test","version":"1"}}}` + "\n"
			if _, err := io.WriteString(in, request); err != nil {
				t.Fatal(err)
			}
			reply, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || !strings.Contains(reply, `"result":`) {
				t.Fatalf("reply %q, %v", reply, err)
			}
			fixture.Must(t, cmd.Process.Signal(c.signal))
			err = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("ended with %v, not with code %d", err, c.code)
			}
			if stderr.Len() > 0 {
				t.Errorf("on standard error: %s", stderr.String())
			}
		})
	}
}
