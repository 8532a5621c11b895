package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/tool"
)

// maxArguments is the maximum size of the arguments in a record, in bytes.
const maxArguments = 1000

// startRecord returns a context that records what a call opens, and the function that passes the
// record of the call to Audit. An error of that function replaces the result of the call. Without
// Audit, both do nothing.
func (t *Toolset) startRecord(ctx context.Context, start time.Time) (
	context.Context, func(name string, c tool.Call, result tool.Result, failure error) error,
) {
	if t.options.Audit == nil {
		return ctx, func(string, tool.Call, tool.Result, error) error { return nil }
	}
	trailed, trail := workspace.WithTrail(ctx)
	return trailed, func(name string, c tool.Call, result tool.Result, failure error) error {
		r := tool.Record{
			Time: start, Duration: time.Since(start), Client: tool.ClientOf(ctx), Tool: name,
			Arguments: shortArguments(c.Args),
		}
		if failure != nil {
			r.Error = asError(failure).Kind
		} else {
			for _, part := range result.Parts {
				r.Returned += len(part.Text) + len(part.Data)
			}
		}
		addTrail(&r, trail)
		if err := t.options.Audit(ctx, r); err != nil {
			return &tool.Error{
				Kind: tool.Failed, Err: err,
				Message: fmt.Sprintf("the call cannot be recorded, so it has no result: %v; "+
					"tell the operator of this server", err),
			}
		}
		return nil
	}
}

// addTrail adds to a record what the call opened and what it was refused.
func addTrail(r *tool.Record, trail *workspace.Trail) {
	opened, refused, more := trail.List()
	for _, o := range opened {
		r.Opened = append(r.Opened, tool.Opened{Path: o.Path, Directory: o.IsDirectory, Bytes: o.Bytes})
	}
	for _, x := range refused {
		r.Refused = append(r.Refused, tool.Refused{Path: x.Path, Pattern: x.Pattern})
	}
	r.Omitted = more
}

// shortArguments returns arguments as valid UTF-8, cut to maxArguments.
func shortArguments(args json.RawMessage) string {
	text := strings.ToValidUTF8(string(args), "\ufffd")
	if len(text) <= maxArguments {
		return text
	}
	const end = "..."
	return strings.ToValidUTF8(text[:maxArguments-len(end)], "") + end
}
