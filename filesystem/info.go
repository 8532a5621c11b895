package filesystem

import (
	"context"
	"fmt"
	"math"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/page"
	"gander/tool"
)

func (t *fileTool) getFileInfo(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	path := a.Required("path").String("")
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	at, err := t.find(ctx, path)
	var d workspace.Details
	if err == nil {
		d, err = at.location.Details()
	}
	if err != nil {
		return tool.Result{}, newError(err, "stat", at.path)
	}
	out := page.New(c.Budget)
	out.Line(fmt.Sprintf("size: %d\ncreated: %s\nmodified: %s\naccessed: %s\n"+
		"isDirectory: %v\nisFile: %v\npermissions: %03o",
		d.Size, date(d.Created), date(d.ModTime), date(d.Accessed),
		d.Kind == workspace.Directory, d.Kind == workspace.Regular, d.Mode&0o777))
	return out.Finish(nil)
}

// date formats a time like JavaScript in UTC: rounded to milliseconds as a floating-point number,
// then truncated to seconds.
func date(t time.Time) string {
	ms := math.Floor(float64(t.Unix())*1e3 + float64(t.Nanosecond())/1e6 + 0.5)
	u := time.Unix(int64(math.Floor(ms/1e3)), 0).UTC()
	return u.Format("Mon Jan 02 2006 15:04:05 ") + "GMT+0000 (Coordinated Universal Time)"
}
