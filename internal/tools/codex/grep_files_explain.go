package codex

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *GrepFiles) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes which files a call without a glob searches. What it finds in them depends on the pattern.
func (t *GrepFiles) Listing(string) (shared.Listing, error) {
	return shared.Listing{
		Depth:    math.MaxInt,
		Filter:   t.reason,
		Contains: func(context.Context, string, tool.Budget) (bool, error) { return true, nil },
	}, nil
}

// reason returns why a file is not searched, or a directory not entered.
func (t *GrepFiles) reason(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
	if c.Kind == workspace.Symlink {
		return tool.Reason{Cause: tool.CauseLink, Rule: "searches do not follow links"}, nil
	}
	o := ignoreRules()
	o.Named = true
	chain, err := ignore.Open(ctx, t.workspace, c.Dir, o)
	if err != nil {
		return tool.Reason{}, err
	}
	m := chain.Match([]byte(c.Name), c.Kind)
	switch {
	case m.Verdict == ignore.Ignore:
		return tool.Reason{Cause: tool.CauseIgnored, Rule: m.String()}, nil
	case m.Verdict != ignore.Include && c.Name[0] == '.':
		return tool.Reason{Cause: tool.CauseHidden, Rule: "a name that begins with a dot"}, nil
	case c.Kind == workspace.Directory && !c.Entered:
		return tool.Reason{Cause: tool.CauseKind, Rule: "a directory"}, nil
	case c.Kind == workspace.Directory:
		return tool.Reason{}, nil
	case c.Kind != workspace.Regular && c.Kind != workspace.Unknown:
		return tool.Reason{Cause: tool.CauseKind, Rule: "a FIFO, socket or device"}, nil
	}
	return contentReason(ctx, c)
}

// contentReason returns why nothing can be found in a file.
func contentReason(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
	f, err := c.Dir.File(c.Name, c.Kind)
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return tool.Reason{Cause: tool.CauseDenied, Rule: denied.Pattern}, nil
	}
	if errors.Is(err, fs.ErrPermission) {
		return tool.Reason{Cause: tool.CauseUnreadable, Rule: shared.ErrorText(err)}, nil
	}
	if err != nil {
		return tool.Reason{}, err
	}
	defer f.Close()
	f.Count(ctx)
	head := make([]byte, 64<<10)
	n, err := f.ReadAt(head, 0)
	switch head = head[:n]; {
	case err != nil && !errors.Is(err, io.EOF):
		return tool.Reason{}, err
	case n == 0:
		return tool.Reason{Cause: tool.CauseEmpty, Rule: "no line"}, nil
	case bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xfe\xff")):
		return tool.Reason{Cause: tool.CauseKind, Rule: "binary: it has a NUL"}, nil
	default:
		return tool.Reason{}, nil
	}
}
