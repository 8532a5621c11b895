package load

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// TestWideListings checks the memory of the maximum number of concurrent listings of late pages of
// a directory with long names. GANDER_WIDE sets the number of names.
func TestWideListings(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	n := 8_000
	if text := os.Getenv("GANDER_WIDE"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		testkit.Must(t, err)
	}
	root := t.TempDir()
	for i := range n {
		testkit.Must(t, os.WriteFile(fmt.Sprintf("%s/%0250d", root, i), nil, 0o644))
	}
	config := t.TempDir() + "/gander.toml"
	testkit.Must(t, os.WriteFile(config, []byte("[limits]\ntimeout = 0\nmemory_bytes = 0\n"), 0o600))
	s := startProgram(t, mcpArgs(root, "--config", config)...)
	const calls = 64
	go func() {
		_, _ = io.WriteString(s.in, handshake())
		for i := range calls {
			args := fmt.Sprintf(`{"dir_path":%q,"depth":1,"offset":%d,"limit":2}`, root, n-i-2)
			_, _ = io.WriteString(s.in, callOf(i+1, "codex/list_dir", args))
		}
	}()
	_, err := s.out.ReadString('\n')
	testkit.Must(t, err)
	for range calls {
		line, err := s.out.ReadString('\n')
		testkit.Must(t, err)
		id, outcome, content := parseReply(t, line)
		first := fmt.Sprintf("%0250d", n-id-2)
		if outcome != "ok" || !strings.Contains(content, "\n"+first+"\n") {
			t.Errorf("call %d: %s %.300s, want %s", id, outcome, content, first)
		}
	}
	s.checkPeak(t, maxUnderLoad)
}
