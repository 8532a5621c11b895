package jsonl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"gander/tool"
)

// answers is a tool whose arguments say what it returns, or that it waits to be cancelled.
type answers struct{ started chan string }

func (answers) Spec() tool.Spec { return tool.Spec{ID: "test/answer", Name: "answer"} }

func (a answers) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Content, Display, Error string
		Size                    int
		Block                   string
	}
	if len(c.Args) > 0 {
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return tool.Result{}, &tool.Error{Kind: tool.BadArguments, Message: err.Error()}
		}
	}
	switch {
	case args.Block != "":
		a.started <- args.Block
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	case args.Error != "":
		return tool.Result{}, &tool.Error{Kind: tool.NotFound, Code: "GONE", Message: args.Error, Display: args.Display}
	case args.Size > 0:
		return tool.Result{Parts: tool.Text(strings.Repeat("x", args.Size))}, nil
	}
	if limit, limited := c.Budget.Limit(); limited {
		args.Content += fmt.Sprintf("%d", limit)
	}
	return tool.Result{Parts: tool.Text(args.Content), Display: args.Display}, nil
}

func registry(t testing.TB, started chan string) *tool.Registry {
	t.Helper()
	r, err := tool.NewRegistry(tool.RegistryOptions{MaxCalls: 1000}, answers{started})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A peer is the parent of a running session.
type peer struct {
	t       *testing.T
	in      *io.PipeWriter
	out     *io.PipeReader
	lines   *bufio.Scanner
	started chan string
	ended   chan error
	cancel  context.CancelCauseFunc
}

func start(t *testing.T, o Options) *peer {
	ctx, cancel := context.WithCancelCause(t.Context())
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: outR, lines: bufio.NewScanner(outR), started: make(chan string, 10000), ended: make(chan error, 1), cancel: cancel}
	p.lines.Buffer(nil, 64<<20)
	calls := registry(t, p.started)
	go func() {
		p.ended <- Serve(ctx, calls, o, inR, outW)
		cancel(nil)
		outW.Close()
		inR.Close()
	}()
	return p
}

func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) reply() string {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatalf("no more replies: %v", p.lines.Err())
	}
	return p.lines.Text()
}

// replies reads n replies, in any order.
func (p *peer) replies(n int) map[string]bool {
	p.t.Helper()
	got := make(map[string]bool)
	for range n {
		got[p.reply()] = true
	}
	return got
}

func (p *peer) expect(want ...string) {
	p.t.Helper()
	got := p.replies(len(want))
	for _, line := range want {
		if !got[line] {
			p.t.Errorf("missing %s\namong %v", line, got)
		}
	}
}

func (p *peer) end() {
	p.t.Helper()
	p.in.Close()
	if p.lines.Scan() {
		p.t.Errorf("one reply too many: %s", p.lines.Text())
	}
	if err := <-p.ended; err != nil {
		p.t.Errorf("Serve: %v", err)
	}
}

const cancelled = `{"id":%s,"ok":false,"error":{"kind":"cancelled","message":"the call was cancelled"}}`

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`{"id":"a","tool":"answer","args":{"block":"a"}}`)
		<-p.started
		p.send(`{"id":2,"cancel":"a"}`)
		p.expect(`{"id":2,"ok":true}`, fmt.Sprintf(cancelled, `"a"`))
		p.send(`{"id":3,"cancel":"a"}`)
		p.expect(`{"id":3,"ok":false,"error":{"kind":"not_found","message":"no call with the id \"a\" is under way; it may have been answered already"}}`)
		p.end()
	})
}

func TestCancelIsReadWhileCallsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{MaxCalls: 1})
		p.send(`{"id":0,"tool":"answer","args":{"block":"0"}}`)
		<-p.started
		for i := 1; i <= 1000; i++ {
			p.send(`{"id":%d,"tool":"answer","args":{"block":"%[1]d"}}`, i)
		}
		p.send(`{"id":"w","cancel":500}`)
		p.expect(`{"id":"w","ok":true}`, fmt.Sprintf(cancelled, "500"))
		p.send(`{"id":"r","cancel":0}`)
		p.expect(`{"id":"r","ok":true}`, fmt.Sprintf(cancelled, "0"))
		if next := <-p.started; next == "500" {
			t.Error("a cancelled call began")
		}
		p.cancel(nil)
		if err := <-p.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve: %v", err)
		}
	})
}

func TestIDsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`{"id":1,"tool":"answer","args":{"block":"1"}}`)
		<-p.started
		refusal := `{"id":1,"ok":false,"error":{"kind":"bad_arguments","message":"the id 1 belongs to a call that is under way; choose another"}}`
		p.send(`{"id":1,"tool":"answer"}`)
		p.expect(refusal)
		p.send(`{"id":1,"cancel":1}`)
		p.expect(refusal)
		p.send(`{"id":1.0,"tool":"answer"}`)
		p.expect(`{"id":1.0,"ok":true,"content":""}`)
		p.send(`{"id":2,"cancel":1}`)
		p.expect(`{"id":2,"ok":true}`, fmt.Sprintf(cancelled, "1"))
		p.send(`{"id":1,"tool":"answer"}`)
		p.expect(`{"id":1,"ok":true,"content":""}`)
		p.end()
	})
}

func TestEndOfInputDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{MaxCalls: 2})
		for i := range 100 {
			p.send(`{"id":%d,"tool":"answer","args":{"content":"%[1]d"}}`, i)
		}
		p.in.Close()
		synctest.Wait()
		select {
		case err := <-p.ended:
			t.Fatalf("ended before its replies were read: %v", err)
		default:
		}
		got := p.replies(100)
		for i := range 100 {
			if want := fmt.Sprintf(`{"id":%d,"ok":true,"content":"%[1]d"}`, i); !got[want] {
				t.Errorf("missing %s", want)
			}
		}
		p.end()
	})
}

func TestManyConcurrentCalls(t *testing.T) {
	const n = 5000
	p := start(t, Options{})
	go func() {
		for i := range n {
			p.send(`{"id":"%d","tool":"test/answer","args":{"content":"c%[1]d","display":"d%[1]d"}}`, i)
		}
	}()
	got := p.replies(n)
	for i := range n {
		if want := fmt.Sprintf(`{"id":"%d","ok":true,"content":"c%[1]d","display":"d%[1]d"}`, i); !got[want] {
			t.Fatalf("missing %s", want)
		}
	}
	p.end()
}

// TestRepliesWaitForTheirReader checks that a parent may write many requests before it reads the first reply.
func TestRepliesWaitForTheirReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{MaxCalls: 3})
		for i := range 2000 {
			p.send(`{"id":%d,"tool":"answer","args":{"size":1000}}`, i)
		}
		if got := len(p.replies(2000)); got != 2000 {
			t.Errorf("%d different replies", got)
		}
		p.end()
	})
}

func TestReadingPausesWhenTooMuchIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{MaxCalls: 1})
		p.send(`{"id":"b","tool":"answer","args":{"block":"b"}}`)
		<-p.started
		sent := 0
		go func() {
			padding := strings.Repeat(" ", 1<<20)
			for i := range 64 {
				if _, err := fmt.Fprintf(p.in, "{\"id\":%d,\"tool\":\"answer\"%s}\n", i, padding); err != nil {
					return // The session has ended.
				}
				sent++
			}
		}()
		synctest.Wait()
		if sent < 30 || sent > 33 {
			t.Errorf("%d lines of 1 MiB were read while none could be answered", sent)
		}
		p.cancel(errors.New("enough"))
		if err := <-p.ended; err == nil || err.Error() != "enough" {
			t.Errorf("Serve: %v", err)
		}
	})
}

func TestContextEndsAStuckSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`{"id":1,"tool":"answer","args":{"block":"1"}}`)
		p.send(`{"id":2,"tool":"answer"}`) // Its reply is not read.
		<-p.started
		synctest.Wait()
		p.cancel(errors.New("interrupted"))
		if err := <-p.ended; err == nil || err.Error() != "interrupted" {
			t.Errorf("Serve: %v", err)
		}
	})
}

func TestOutputFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, Options{})
		p.send(`{"id":1,"tool":"answer","args":{"block":"1"}}`)
		<-p.started
		p.out.CloseWithError(errors.New("disk full"))
		p.send(`{"id":2,"tool":"answer"}`)
		if err := <-p.ended; err == nil || err.Error() != "cannot write replies: disk full" {
			t.Errorf("Serve: %v", err)
		}
	})
}

func TestInputFails(t *testing.T) {
	in := io.MultiReader(strings.NewReader("{\"id\":1,\"tool\":\"answer\"}\n{\"id\":2"), iotest.ErrReader(errors.New("gone")))
	var out strings.Builder
	err := Serve(t.Context(), registry(t, nil), Options{}, in, &out)
	if err == nil || err.Error() != "cannot read requests: gone" {
		t.Errorf("Serve: %v", err)
	}
	if got := out.String(); got != "{\"id\":1,\"ok\":true,\"content\":\"\"}\n" {
		t.Errorf("replies: %s", got)
	}
}
