package native

import (
	"time"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
)

// The surveys of a call together list at most maxSurveyed entries, where entering a directory
// counts as enteredCost entries. That takes about 50 ms. Where it takes much longer, they end after
// surveyTime together.
const (
	maxSurveyed = 50_000
	enteredCost = 16
	surveyTime  = 500 * time.Millisecond
)

// A surveyWork is the work that the surveys of a call have done so far.
type surveyWork struct {
	entries int
	time    time.Duration
}

func (w surveyWork) isEnough() bool { return w.entries > maxSurveyed || w.time >= surveyTime }

// survey passes the entries below a directory to see, to find a suggestion for a call without a result.
// complete is false if the survey ends early.
func (c *call) survey(
	at workspace.Location, o search.FindOptions, see func(walk.Entry),
) (complete bool) {
	var totals search.Totals
	before, began, entered := c.surveyed, time.Now(), 0
	o.Order, o.Totals = walk.PreOrder, &totals
	o.Progress = func() bool {
		entered++
		c.surveyed.entries = before.entries + totals.Visited + entered*enteredCost
		c.surveyed.time = before.time + time.Since(began)
		return !c.surveyed.isEnough()
	}
	for e := range search.Find(c.ctx, c.workspace, at, o) {
		if e.Dir == nil { // it cannot be read
			return false
		}
		if !e.ForError {
			see(e)
		}
	}
	return !c.surveyed.isEnough()
}
