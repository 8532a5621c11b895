// Package why determines why tools show or hide a path.
package why

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
)

// A Cause is the reason why a path is shown or hidden.
type Cause string

const (
	Shown   Cause = "shown"
	Outside Cause = "outside" // of the roots, or reached through a symlink that leaves them
	Missing Cause = "missing"
	Denied  Cause = "denied"  // by a deny pattern
	Ignored Cause = "ignored" // by a line of an ignore file
	Git     Cause = "git"     // part of .git
)

// An Explanation is the cause and the rule that is responsible, if any: the pattern for [Denied],
// and file:line:pattern for [Ignored], as git check-ignore -v prints it.
type Explanation struct {
	Cause Cause
	Rule  string
}

// Explain determines why the path is shown or hidden. A relative path is relative to the first
// root, and ".." is resolved lexically. Explain does not access anything outside the roots. It
// returns errors of the file system and of the context.
func Explain(ctx context.Context, w *workspace.Workspace, name string) (Explanation, error) {
	location, err := w.Find(ctx, filepath.Clean(name))
	if err != nil {
		return explainError(err)
	}
	info, err := location.Lstat()
	if err != nil {
		return explainError(err)
	}
	// A symlink is shown by its own rules, and even without a target, unless the target is refused.
	_, err = location.Details()
	isRefused := errors.Is(err, workspace.ErrDenied) || errors.Is(err, workspace.ErrOutside)
	isBrokenLink := info.Kind == workspace.Symlink && !isRefused
	if err != nil && !isBrokenLink {
		return explainError(err)
	}
	if info.Kind != workspace.Symlink {
		location, err = location.Resolve()
		if err != nil {
			return explainError(err)
		}
	}
	if location.Path() == "." {
		return Explanation{Cause: Shown}, nil
	}
	dir, err := location.Parent().Dir()
	if err != nil {
		return explainError(err)
	}
	defer dir.Close()
	chain, err := ignore.Open(ctx, w, dir, ignore.Options{Git: true, Nested: true})
	if err != nil {
		return explainError(err)
	}
	switch match := chain.Match([]byte(path.Base(location.Path())), info.Kind); {
	case match.Verdict != ignore.Ignore:
		return Explanation{Cause: Shown}, ctx.Err()
	case !match.HasRule():
		return Explanation{Cause: Git}, ctx.Err()
	default:
		return Explanation{Ignored, match.String()}, ctx.Err()
	}
}

// explainError returns the explanation that an error of the workspace implies, if any.
func explainError(err error) (Explanation, error) {
	var denied *workspace.DeniedError
	switch {
	case errors.As(err, &denied):
		return Explanation{Denied, denied.Pattern}, nil
	case errors.Is(err, workspace.ErrOutside):
		return Explanation{Cause: Outside}, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, workspace.ErrNotDirectory):
		return Explanation{Cause: Missing}, nil
	default:
		return Explanation{}, err
	}
}
