package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/tool"
)

// progressInterval is the time before the first report of progress and between reports.
const progressInterval = 500 * time.Millisecond

// progress is middleware that reports how much a long request has read, if its client sent a token.
func progress(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		token := progressToken(method, req)
		if !ok || token == nil {
			return next(ctx, method, req)
		}
		watched, read := tool.Watch(ctx)
		done := make(chan struct{})
		var reports sync.WaitGroup
		reports.Go(func() { report(ctx, session, token, read, done) })
		// No report may follow the result.
		defer reports.Wait()
		defer close(done)
		return next(watched, method, req)
	}
}

// progressToken returns the token of a request that may take long, or nil if it has none.
func progressToken(method string, req mcp.Request) any {
	switch method {
	case "tools/call", "resources/read", directoryRead, "prompts/get":
		return meta(req)["progressToken"]
	}
	return nil
}

// report reports what has been read, until done is closed. As the protocol demands, each report says more than the last.
func report(ctx context.Context, session *mcp.ServerSession, token any, read func() (int, int64), done <-chan struct{}) {
	tick := time.NewTicker(progressInterval)
	defer tick.Stop()
	last := int64(-1)
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		entries, bytes := read()
		if n := int64(entries) + bytes; n > last {
			last = n
			_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // A client that is gone needs no reports.
				ProgressToken: token,
				Progress:      float64(n),
				Message:       fmt.Sprintf("%d entries and %d bytes read", entries, bytes),
			})
		}
	}
}
