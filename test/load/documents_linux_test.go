package load

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/hostilefiles"
	"gander/internal/testkit/program"
)

// TestHostileDocuments reads and searches all hostile documents and images, sixteen at once. Calls
// by an ordinary client must be fast, and the server must need little memory.
func TestHostileDocuments(t *testing.T) {
	testkit.SkipLong(t)
	root := fixture.Make(t, "small")
	testkit.Must(t, os.Mkdir(root+"/files", 0o755))
	names := hostilefiles.Make(t, root+"/files", "gander/internal/documents/office",
		"gander/internal/documents/pdf", "gander/internal/images")
	config := t.TempDir() + "/gander.toml"
	testkit.Must(t, os.WriteFile(config, []byte("[limits]\ntimeout = \"2s\"\n"), 0o600))
	server, addr := program.Serve(t, 0, "--tools", "all", "--root", root, "--config", config)
	var calls []string
	for _, name := range names {
		path := fmt.Sprintf(`{"path":%q`, root+"/files/"+name)
		calls = append(calls, program.Call(1, "gander/read_file", path+`,"offset":-1}`),
			program.Call(1, "gander/search_text", path+`,"pattern":"none","documents":true}`))
	}
	for range 16 {
		args := fmt.Sprintf(`{"path":%q,"pattern":"none","documents":true}`, root+"/files")
		calls = append(calls, program.Call(1, "gander/search_text", args))
	}
	rand.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })

	client, _ := clientFrom(2)
	waiting, done := make(chan string), make(chan struct{})
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for body := range waiting {
				resp, err := client.Do(post(t.Context(), addr, body, true))
				if err != nil {
					t.Errorf("%s: %v", body, err)
					continue
				}
				text, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || !strings.Contains(string(text), `"result"`) {
					t.Errorf("%s: %.300s, %v", body, text, err)
				}
			}
		})
	}
	go func() {
		defer close(done)
		for _, body := range calls {
			waiting <- body
		}
		close(waiting)
		workers.Wait()
	}()
	other := newOrdinary(t, addr)
	for isOver := false; !isOver; {
		select {
		case <-done:
			isOver = true
		case <-time.After(20 * time.Millisecond):
			other.call(t)
		}
	}
	t.Logf("%d hostile calls; the slowest of %d ordinary ones took %v", len(calls), other.made,
		other.worst)
	server.CheckPeak(t, 200)
	if other.worst > slowest {
		t.Errorf("an ordinary call took %v", other.worst)
	}
}
