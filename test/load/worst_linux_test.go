package load

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/testkit"
	"gander/internal/testkit/program"
)

// TestWorst makes each kind of call at its most costly, 64 at once by two clients, and prints the
// peak memory of the process and the slowest answer of an ordinary client, who reads a text, an
// image and documents. GANDER_WORST sets the timeout of a call, which is short otherwise.
func TestWorst(t *testing.T) {
	testkit.SkipLong(t)
	root := worstRoot(t)
	timeout := os.Getenv("GANDER_WORST")
	if timeout == "" {
		timeout = "1s"
	}
	config := t.TempDir() + "/gander.toml"
	testkit.Must(t, os.WriteFile(config, []byte("[limits]\ntimeout = \""+timeout+"\"\n"), 0o600))
	for _, tt := range []struct{ name, tool, args string }{
		{"a large PNG image", "gander/read_file", `{"path":"large.png"}`},
		{"a large JPEG image", "gander/read_file", `{"path":"large.jpeg"}`},
		{"the data of a file", "filesystem/read_media_file", `{"path":"$/data.png"}`},
		{"a page of PDF with much text", "gander/read_file", `{"path":"large.pdf","offset":-1}`},
		{"a drawn page of PDF", "gander/read_file", `{"path":"drawn.pdf#page=1"}`},
		{"a DOCX file with much text", "gander/read_file", `{"path":"large.docx","offset":-1}`},
		{"a search in documents", "gander/search_text", `{"pattern":"none","documents":true}`},
		{"the end of a file", "gander/read_file", `{"path":"utf16","offset":-1}`},
		{
			"many files", "filesystem/read_multiple_files",
			`{"paths":[` + strings.Repeat(`"$/utf16",`, 500) + `"small"]}`,
		},
		{
			"many values", "filesystem/read_multiple_files",
			`{"paths":[` + strings.Repeat("1,", 9_000) + `1]}`,
		},
		{"a pattern with many states", "gander/search_text", `{"pattern":"(?:(?:a?){1000}){174}"}`},
		{"a pattern with many characters", "gander/search_text", `{"pattern":"(?i)\\p{L}{1000}"}`},
		{"a search with context", "gander/search_text", `{"pattern":"","context":100,"limit":100000}`},
		{"matches with their functions", "gander/search_text", `{"pattern":".","block":true}`},
		{"a wide directory", "gander/list_dir", `{"path":"wide"}`},
		{"a late page of it", "codex/list_dir", `{"dir_path":"$/wide","offset":15000,"limit":1000}`},
		{"a tree", "filesystem/directory_tree", `{"path":"$"}`},
		{
			"a glob with many braces", "gander/find_files",
			`{"pattern":"**/` + strings.Repeat("{a,b}", 12) + `"}`,
		},
		{"a pipeline", "bash", `{"command":"cat utf16 long | sort | uniq -c | sort -rn | head"}`},
		{"a text that grows", "bash", `{"command":"awk 'BEGIN{while(1)x=x \"aaaaaaaa\"}'"}`},
		{"many lines to sort", "bash", `{"command":"seq 1000000 | sort -r | tail -n 1"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, addr := program.Serve(t, 0, "--tools", "all", "--root", root, "--config", config)
			ordinary := newOrdinary(t, addr)
			small := []string{"small", "small.png", "small.docx", "small.pdf"}
			for strings.Contains(ordinary.read(t, small[3]), "time limit") { // PDFium is compiled.
				ordinary.made = 0
			}
			ordinary.worst = 0
			message := program.Call(1, tt.tool, strings.ReplaceAll(tt.args, "$", root))
			var calls sync.WaitGroup
			var failed atomic.Int64
			for i := range 64 {
				client, _ := clientFrom(2 + i%2)
				calls.Go(func() {
					defer client.CloseIdleConnections()
					response, err := client.Do(post(t.Context(), addr, message, true))
					if err != nil {
						t.Error(err)
						return
					}
					defer response.Body.Close()
					body, _ := io.ReadAll(response.Body)
					if !bytes.Contains(body, []byte(`"result"`)) || bytes.Contains(body, []byte(`"isError"`)) {
						failed.Add(1)
					}
				})
			}
			ended := make(chan struct{})
			go func() {
				calls.Wait()
				close(ended)
			}()
			for isOver := false; !isOver; {
				for _, path := range small {
					ordinary.read(t, path)
				}
				select {
				case <-ended:
					isOver = true
				case <-time.After(10 * time.Millisecond):
				}
			}
			t.Logf("%s: %d of 64 calls failed; the slowest of %d ordinary answers took %v",
				tt.name, failed.Load(), ordinary.made, ordinary.worst.Round(time.Millisecond))
			server.CheckPeak(t, 200)
			if ordinary.worst > 3*slowest { // Processor time is not divided.
				t.Errorf("an ordinary answer took %v", ordinary.worst)
			}
		})
	}
}

// worstRoot returns a root with files that are costly to read, and small ones of the same kinds.
func worstRoot(t *testing.T) string {
	t.Helper()
	root := hostileRoot(t, false)
	for i := range 18_000 {
		testkit.Must(t, os.WriteFile(fmt.Sprintf("%s/wide/x%0180d", root, i), nil, 0o644))
	}
	write := func(name string, content []byte) {
		testkit.Must(t, os.WriteFile(root+"/"+name, content, 0o644))
	}
	encoded := func(encode func(io.Writer) error) []byte {
		var b bytes.Buffer
		testkit.Must(t, encode(&b))
		return b.Bytes()
	}
	asPNG := func(width, height int) []byte {
		return encoded(func(w io.Writer) error {
			return png.Encode(w, image.NewNRGBA(image.Rect(0, 0, width, height)))
		})
	}
	write("small.png", asPNG(1600, 400))
	write("large.png", asPNG(3600, 2800))
	write("large.jpeg", encoded(func(w io.Writer) error {
		return jpeg.Encode(w, image.NewGray(image.Rect(0, 0, 6000, 4000)), nil)
	}))
	write("data.png", append(asPNG(8, 8), make([]byte, 3_600_000)...))
	writePDF := func(name, text string) {
		write(name+".pdf", fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"+
			"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
			"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"+
			"/Resources<</Font<</F 5 0 R>>>>>>endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"+
			"4 0 obj<</Length %d>>stream\n%sendstream endobj\ntrailer<</Root 1 0 R>>\n",
			len(text), text))
	}
	writePDF("drawn", strings.Repeat("0 0 m 99 99 l S\n", 200_000))
	for name, lines := range map[string]int{"small": 1, "large": 200_000} {
		writePDF(name, "BT /F 9 Tf 9 TL\n"+strings.Repeat("(text) Tj T*\n", lines)+"ET\n")
		write(name+".docx", encoded(func(w io.Writer) error {
			z := zip.NewWriter(w)
			part, err := z.Create("word/document.xml")
			testkit.Must(t, err)
			_, err = fmt.Fprintf(part, `<w:document xmlns:w="http://schemas.openxmlformats.org/`+
				`wordprocessingml/2006/main"><w:body>%s</w:body></w:document>`,
				strings.Repeat(`<w:p><w:r><w:t>text</w:t></w:r></w:p>`, lines))
			testkit.Must(t, err)
			return z.Close()
		}))
	}
	return root
}
