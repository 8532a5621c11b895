package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/pty"
)

// marker is the environment variable that makes this program one that works for so long.
const marker = "GANDER_TEST_WORK"

func TestMain(m *testing.M) {
	if d, err := time.ParseDuration(os.Getenv(marker)); err == nil {
		work(d)
		return
	}
	os.Exit(m.Run())
}

func work(d time.Duration) {
	s, err := New(os.Stderr, Options{Hyperlink: "auto", Width: -1, Getenv: os.Getenv})
	spinner := Spin(os.Stderr, os.Getenv, func() string { return "7 entries read" })
	time.Sleep(d)
	spinner.Stop()
	spinner.Stop()
	fmt.Fprintln(os.Stderr, s.Terminal, s.Color, s.Unicode, s.Width, s.links, err)
}

// TestTerminal: what is found out about a terminal, and a spinner on it after half a second.
func TestTerminal(t *testing.T) {
	for _, tt := range []struct {
		work          string
		term, locale  string
		prefix, after string
	}{
		{"1ms", "xterm", "C.UTF-8", "", "true true true 61 true <nil>"},
		{"1ms", "dumb", "C", "", "true false false 61 false <nil>"},
		{"750ms", "xterm", "C.UTF-8", "\r⠋ 7 entries read\x1b[K\r⠙ 7 entries read\x1b[K", "\r\x1b[Ktrue true true 61 true <nil>"},
		{"750ms", "xterm", "C", "\r| 7 entries read\x1b[K\r/ 7 entries read\x1b[K", "\r\x1b[Ktrue true false 61 true <nil>"},
		{"750ms", "dumb", "C", "", "true false false 61 false <nil>"},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), marker+"="+tt.work, "TERM="+tt.term, "LC_ALL="+tt.locale, "NO_COLOR=", "CLICOLOR=")
		got := strings.TrimSuffix(pty.Run(t, cmd, 61), "\n")
		if !strings.HasPrefix(got, tt.prefix) || !strings.HasSuffix(got, tt.after) || tt.prefix == "" && got != tt.after {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}
