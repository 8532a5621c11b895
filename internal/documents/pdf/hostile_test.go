package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/admission"
	"gander/internal/documents"
	"gander/internal/testkit/hostilefiles"
)

// hostileFiles are files that make a reader without limits run for ever or use much memory.
func hostileFiles() map[string][]byte {
	files := make(map[string][]byte)

	b := newBuilder()
	loop := len(b.objects) + 1
	b.add(fmt.Sprintf("[%d 0 R %d 0 R]", loop, loop))
	b.page(show("text"), fmt.Sprintf("/Contents %d 0 R", loop))
	files["contents that contain themselves"] = b.bytes()

	b = newBuilder()
	parent := len(b.objects) + 1
	for range 5000 {
		b.add(fmt.Sprintf("<</Type/Pages/Count 1/Kids[%d 0 R]>>", len(b.objects)+2))
	}
	b.page(show("deep"), "")
	b.pages = []int{parent}
	files["a deep tree of pages"] = b.bytes()

	b = newBuilder()
	b.page(show("text"), "")
	b.pages = []int{2, 2, b.pages[0]}
	files["a tree of pages that contains itself"] = b.bytes()

	b = newBuilder()
	b.page(show("text"), "")
	b.count = "2147483647"
	files["two thousand million pages"] = b.bytes()

	b = newBuilder()
	for range 200 {
		b.page(strings.Repeat("q BT /F 12 Tf (many words) Tj ET ", 2000), "")
	}
	files["long contents"] = b.bytes()

	// Each form shows the next one ten times.
	b = newBuilder()
	const forms = 12
	for range forms {
		next := len(b.objects) + 2
		b.stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 3 0 R>>"+
			"/XObject<</X %d 0 R>>>>", next), "BT /F 9 Tf (x) Tj ET "+strings.Repeat("/X Do ", 10))
	}
	b.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 4 0 R>>>>", "/X Do")
	b.page("/X Do", "/Resources<</XObject<</X 4 0 R>>>>")
	files["forms that show forms"] = b.bytes()

	var bomb bytes.Buffer
	z := zlib.NewWriter(&bomb)
	for range 4096 {
		z.Write(bytes.Repeat([]byte("(a) Tj "), 64<<10/7))
	}
	z.Close()
	b = newBuilder()
	content := b.stream("/Filter/FlateDecode", bomb.String())
	b.page("", fmt.Sprintf("/Contents %d 0 R", content))
	files["256 MiB of contents"] = b.bytes()

	files["deep arrays"] = file(strings.Repeat("[", 1<<20), show("after"))
	files["deep objects"] = []byte("%PDF-1.7\n1 0 obj\n" + strings.Repeat("<</A[", 1<<18))
	return files
}

// TestHostile reads hostile files with a deadline. They end soon after it, in little memory.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files until a deadline")
	}
	f := shared()
	read(t.Context(), t, f, file(show("compile")))
	most := watchMemory(t)
	for name, content := range hostileFiles() {
		t.Run(name, func(t *testing.T) {
			if hostilefiles.Keep(t, "x.pdf", bytes.NewReader(content)) {
				return
			}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			begin := time.Now()
			got := read(ctx, t, f, content)
			t.Logf("%d bytes of text after %v: %.200q", len(got), time.Since(begin), got)
			if time.Since(begin) > 10*time.Second {
				t.Errorf("ended after %v", time.Since(begin))
			}
			if got == "" {
				t.Error("no line and no error")
			}
		})
	}
	if most := most(); most > 190<<20 { // a process has less than 200 MB
		t.Errorf("%d MiB of memory", most>>20)
	}
}

// watchMemory returns a function that ends the observation and returns the most memory in use.
func watchMemory(t *testing.T) func() uint64 {
	t.Helper()
	done := make(chan struct{})
	result := make(chan uint64)
	go func() {
		sample := []metrics.Sample{
			{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"},
		}
		most := uint64(0)
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64()+sample[1].Value.Uint64())
			select {
			case <-done:
				result <- most
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-result
	}
}

func TestManyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 10,000 pages")
	}
	f := shared()
	b := newBuilder()
	for n := range 10_000 {
		b.page(show(fmt.Sprint("text of page ", n+1)), "")
	}
	got := read(t.Context(), t, f, b.bytes())
	if !strings.HasSuffix(got, "# page 10000 of 10000\ntext of page 10000\n") {
		t.Errorf("ends with %q", got[max(0, len(got)-100):])
	}
	last := readFrom(t.Context(), t, f, b.bytes(), 9_999)
	if want := "# page 9999 of 10000\ntext of page 9999\n\n" +
		"# page 10000 of 10000\ntext of page 10000\n"; last != want {
		t.Errorf("from page 9999: %q", last)
	}
}

// endless is a file that takes longer than the deadlines of the tests, or more memory than a file
// can have, which takes a tenth of a second on a fast machine.
func endless() []byte { return hostileFiles()["forms that show forms"] }

// TestDeadline checks that a call ends soon after its deadline, while PDFium is compiled and while
// it runs.
func TestDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium again")
	}
	f := New()
	content := endless()
	for _, state := range []string{"compiling", "compiled"} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		begin := time.Now()
		got := read(ctx, t, f, content)
		took := time.Since(begin)
		cancel()
		t.Logf("%s: returned after %v", state, took)
		if !strings.HasSuffix(got, "x.pdf context deadline exceeded\n") || took > 2*time.Second {
			t.Errorf("%s: returned %q after %v", state, got, took)
		}
		read(t.Context(), t, f, file(show("compile")))
	}
}

// TestManyCalls reads hostile and other files in sixteen calls at once. All memory is returned.
func TestManyCalls(t *testing.T) {
	deadline, readers := 10*time.Second, 16
	if testing.Short() {
		deadline, readers = 2*time.Second, 6
	}
	f := shared()
	c := admission.New(64, 48<<20)
	contents := [][]byte{endless(), file(show("text")), hostileFiles()["long contents"]}
	var calls sync.WaitGroup
	for n := range readers {
		calls.Go(func() {
			content := contents[n%len(contents)]
			got, err := admission.Run(t.Context(), c, 20*time.Second,
				func(ctx context.Context) (string, error) {
					ctx, cancel := context.WithTimeout(ctx, deadline)
					defer cancel()
					return read(ctx, t, f, content), nil
				})
			if err != nil || got == "" {
				t.Errorf("call %d returned %q, %v", n, got, err)
			}
		})
	}
	calls.Wait()
	_, err := admission.Run(t.Context(), c, time.Minute, func(ctx context.Context) (int, error) {
		return 0, admission.Reserve(ctx, 48<<20)
	})
	if err != nil {
		t.Errorf("memory is not returned: %v", err)
	}
}

// TestMemory checks that a call that gets no more memory fails as a whole.
func TestMemory(t *testing.T) {
	f := shared()
	c := admission.New(64, forText.reserved)
	got, err := admission.Run(t.Context(), c, time.Minute, func(ctx context.Context) (string, error) {
		return read(ctx, t, f, file(show("text"))), nil
	})
	if err != nil || !strings.Contains(got, "the call needs") {
		t.Errorf("returned %q, %v", got, err)
	}
}

// A broken file fails after some bytes.
type broken struct{ *bytes.Reader }

var errBroken = errors.New("the disk is broken")

func (b broken) ReadAt(p []byte, at int64) (int, error) {
	if at > 1024 {
		return 0, errBroken
	}
	return b.Reader.ReadAt(p, at)
}

func TestBrokenFile(t *testing.T) {
	content := file(show(strings.Repeat("text ", 1000)))
	f := []documents.Format{shared()}
	d, err := documents.Open(t.Context(), f, "x.pdf", broken{bytes.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range d.Lines(t.Context(), documents.Limits{}) {
	}
	if !errors.Is(err, errBroken) {
		t.Errorf("got the error %v", err)
	}
}

// TestIdle checks that PDFium is forgotten after a minute, and compiled again afterwards.
func TestIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium again")
	}
	f := New()
	want := read(t.Context(), t, f, file(show("text")))
	f.expiry.Reset(0)
	for {
		f.mu.Lock()
		forgotten := f.program == nil
		f.mu.Unlock()
		if forgotten {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if got := read(t.Context(), t, f, file(show("text"))); got != want {
		t.Errorf("got %q instead of %q", got, want)
	}
}

// TestFailedCompilation checks that PDFium is compiled again for the next file if that failed, but
// not if a call ended before.
func TestFailedCompilation(t *testing.T) {
	f := New()
	waiting := &program{ready: make(chan struct{})}
	f.program = waiting
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := f.acquire(ctx, forText); err == nil || f.program != waiting {
		t.Errorf("a call that ends: error %v, program %p, want %p", err, f.program, waiting)
	}
	waiting.err = errors.New("no memory")
	close(waiting.ready)
	if _, _, err := f.acquire(t.Context(), forText); err != waiting.err || f.program != nil {
		t.Errorf("a failed compilation: error %v, program %p", err, f.program)
	}
}

// TestLimits checks that a client reads two files at a time, each in 32 MiB, and that two that have
// as many as they can do not delay the file of another.
func TestLimits(t *testing.T) {
	f := New()
	f.program = &program{ready: make(chan struct{})}
	close(f.program.ready)
	acquire := func(client string, connection int) error {
		from := admission.Caller{Client: client, Connection: strconv.Itoa(connection)}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, instance, err := f.acquire(admission.WithCaller(ctx, from), forText)
		if err == nil {
			t.Cleanup(func() { f.release(t.Context(), instance, forText) })
		}
		return err
	}
	for i, want := range []error{nil, nil, context.DeadlineExceeded} {
		if err := acquire("first", i); !errors.Is(err, want) {
			t.Errorf("file %d: %v", i, err)
		}
	}
	for i, want := range []error{nil, context.DeadlineExceeded} {
		if err := acquire("second", i); !errors.Is(err, want) {
			t.Errorf("file %d of the second client: %v", i, err)
		}
	}
	if err := acquire("third", 0); err != nil {
		t.Errorf("the file of the third client: %v", err)
	}
	m := &memory{ctx: t.Context(), bounds: forText}
	if m.Reallocate(32<<20) == nil || m.Reallocate(32<<20+1) != nil {
		t.Error("the limit is not 32 MiB")
	}
}
