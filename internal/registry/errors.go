package registry

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/tool"
)

// maxErrorBytes is the maximum size of an error message. Messages can repeat arguments.
const maxErrorBytes = 16 << 10

// asError converts err to a [*tool.Error]. The result is always a new value, because a [Publisher]
// modifies it.
func asError(err error) *tool.Error {
	var e *tool.Error
	var refused admission.Error
	switch {
	case errors.As(err, &e) && e != nil:
		own := *e
		return &own
	case errors.As(err, &e): // a nil *Error in an error, whose methods would panic
		return &tool.Error{
			Kind: tool.Internal, Message: "internal error: the tool failed and did not say why",
		}
	case errors.As(err, &refused):
		if refused == admission.ErrBusy {
			err = tool.ErrBusy
		}
		return &tool.Error{Kind: tool.Failed, Message: refused.Error(), Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &tool.Error{
			Kind: tool.Timeout, Err: err,
			Message: "the call took longer than its time limit; ask for less, or raise the limit",
		}
	case errors.Is(err, context.Canceled):
		return &tool.Error{Kind: tool.Cancelled, Message: "the call was cancelled", Err: err}
	default:
		return &tool.Error{Kind: tool.Internal, Message: "internal error: " + err.Error(), Err: err}
	}
}

func errClosed() error {
	return &tool.Error{
		Kind: tool.Failed, Message: "the toolset is closed; open another", Err: tool.ErrClosed,
	}
}

// publish converts err to a [*tool.Error], lets e's [Publisher], if any, modify it, and shortens
// its messages.
func publish(e *entry, err error) *tool.Error {
	failure := asError(err)
	if e != nil {
		if p, ok := e.tool.(Publisher); ok {
			p.PublishError(failure)
		}
	}
	failure.Message = shorten(failure.Message)
	failure.Display = shorten(failure.Display)
	return failure
}

// shorten cuts text to maxErrorBytes.
func shorten(text string) string {
	if len(text) <= maxErrorBytes {
		return text
	}
	end := fmt.Sprintf("... (%d bytes in all)", len(text))
	cut := maxErrorBytes - len(end)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + end
}

// checkResult returns an error if a result exceeds its budget or is not valid UTF-8.
func checkResult(result tool.Result, b tool.Budget) error {
	text, data := 0, 0
	for _, p := range result.Parts {
		if !utf8.ValidString(p.Text) {
			return errors.New("the content is not UTF-8")
		}
		text += len(p.Text)
		data += len(p.Data)
	}
	message := ""
	if limit, limited := b.Limit(); limited && text > limit {
		message = fmt.Sprintf("the output limit of %d bytes is too small for the answer; "+
			"raise it or ask for less", limit)
	} else if limit := b.MaxDataBytes; limit != nil && data > *limit {
		message = fmt.Sprintf("the answer has %d bytes of data, and the limit is %d; "+
			"raise limits.max_data_bytes", data, *limit)
	}
	if message == "" {
		return nil
	}
	return &tool.Error{Kind: tool.Failed, Message: message}
}
