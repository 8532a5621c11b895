package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/tool"
)

// progressAfter is how long a call runs before its client is told how far it is, and how long it waits before it tells
// again.
const progressAfter = 500 * time.Millisecond

// progress tells a client that has sent a token how much a request has read so far, while it runs for long.
func progress(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		token := progressToken(method, req)
		if !ok || token == nil {
			return next(ctx, method, req)
		}
		watched, read := tool.Watch(ctx)
		done := make(chan struct{})
		var telling sync.WaitGroup
		telling.Go(func() { tell(ctx, session, token, read, done) })
		// Nothing may be told once the result is out.
		defer telling.Wait()
		defer close(done)
		return next(watched, method, req)
	}
}

// progressToken returns the token of a request that may read for long, nil where it has none.
func progressToken(method string, req mcp.Request) any {
	switch method {
	case "tools/call", "resources/read", "resources/directory/read", "prompts/get":
		return meta(req)["progressToken"]
	}
	return nil
}

// tell sends what has been read until done is closed. What it sends grows each time, as the protocol wants.
func tell(ctx context.Context, session *mcp.ServerSession, token any, read func() (int, int64), done <-chan struct{}) {
	tick := time.NewTicker(progressAfter)
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
			_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ // whoever is gone needs no progress
				ProgressToken: token,
				Progress:      float64(n),
				Message:       fmt.Sprintf("%d entries and %d bytes read", entries, bytes),
			})
		}
	}
}
