package tool

import "context"

// An Explainer is a Tool that can say why it does not show a path.
type Explainer interface {
	Tool
	// Explain says why calls that name only a directory or a file do not show what is at path, or that they do. If a call
	// lists only a few levels, it considers the calls for each directory on the way to the path. A relative path is relative
	// to the first root, and ".." is resolved lexically. The budget is that of each call.
	//
	// The error is an [*Error]: nothing is at the path, or the reason cannot be found.
	Explain(ctx context.Context, path string, b Budget) (Reason, error)
}

// A Reason says why a tool does not show a path, or that it does.
type Reason struct {
	// Cause is one of the Cause constants, or a word of the tool's own.
	Cause string
	// Rule is what decides, if anything does: a rule of an ignore file as file:line:pattern, the way git check-ignore shows
	// it, a deny pattern, an argument or option as name=value, or a few words.
	Rule string
	// At is the entry that the cause holds for, relative to its root and separated by slashes: the path itself, or a directory
	// above it. It is empty for a path outside and if the policy decides.
	At string
}

// The causes for which a tool does not show a path.
const (
	// CauseShown: the tool shows the path.
	CauseShown = "shown"
	// CauseOutside: the path leads out of the workspace. Nothing more is said.
	CauseOutside = "outside"
	// CauseDenied: a deny pattern or the policy forbids it.
	CauseDenied = "denied"
	// CauseHidden: the name begins with a dot.
	CauseHidden = "hidden"
	// CauseIgnored: a rule of an ignore file matches.
	CauseIgnored = "ignored"
	// CauseExcluded: a pattern for names or paths matches.
	CauseExcluded = "excluded"
	// CauseKind: the tool shows nothing of that kind.
	CauseKind = "kind"
	// CauseName: the name is not UTF-8, or no argument of the tool could name the directory.
	CauseName = "name"
	// CauseDepth: the path lies deeper than a listing from the root goes. The listing of At shows it.
	CauseDepth = "depth"
	// CauseLimit: an answer ends before it.
	CauseLimit = "limit"
	// CauseLink: a symlink is in the way, or cannot be resolved.
	CauseLink = "link"
	// CauseUnreadable: a directory or file on the way cannot be read.
	CauseUnreadable = "unreadable"
	// CauseEmpty: the path is a file without lines.
	CauseEmpty = "empty"
	// CauseUnknown: the tool could not find the reason, for the error in Rule.
	CauseUnknown = "unknown"
)
