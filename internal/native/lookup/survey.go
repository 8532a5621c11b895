package lookup

import (
	"context"
	"time"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
)

// The surveys of a call together list at most maxSurveyed entries, where entering a directory
// counts as enteredCost entries. That takes about 50 ms. Where it takes much longer, they end after
// surveyTime together.
const (
	MaxSurveyed = 50_000
	EnteredCost = 16
	surveyTime  = 500 * time.Millisecond
)

// A surveyWork is the work that the surveys of a call have done so far.
type surveyWork struct {
	Entries int
	time    time.Duration
}

func (w surveyWork) isEnough() bool { return w.Entries > MaxSurveyed || w.time >= surveyTime }

// Survey passes the entries below a directory to see, to find a suggestion for a call without a
// result. complete is false if the survey ends early.
func (l *Paths) Survey(
	ctx context.Context, at workspace.Location, o search.FindOptions, see func(walk.Entry),
) (complete bool) {
	var totals search.Totals
	before, began, entered := l.Surveyed, time.Now(), 0
	o.Order, o.Totals = walk.PreOrder, &totals
	o.Progress = func() bool {
		entered++
		l.Surveyed.Entries = before.Entries + totals.Visited + entered*EnteredCost
		l.Surveyed.time = before.time + time.Since(began)
		return !l.Surveyed.isEnough()
	}
	for e := range search.Find(ctx, l.Workspace, at, o) {
		if e.Dir == nil { // it cannot be read
			return false
		}
		if !e.ForError {
			see(e)
		}
	}
	return !l.Surveyed.isEnough()
}

// IgnoreRules returns git's rules. Every repository has its own.
func IgnoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

func Scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = IgnoreRules()
	}
	return s
}
