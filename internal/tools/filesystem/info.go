package filesystem

import (
	"context"
	"fmt"
	"math"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// getFileInfo runs get_file_info.
func (t *Tool) getFileInfo(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	at, err := t.find(ctx, r.path)
	if err != nil {
		return tool.Result{}, err
	}
	var d workspace.Details
	if err = at.err; err == nil {
		d, err = at.location.Details()
	}
	if err != nil {
		return tool.Result{}, newError(err, "stat", at.path)
	}
	page, err := shared.NewPage(b)
	if err != nil {
		return tool.Result{}, err
	}
	page.Line(fmt.Sprintf("size: %d\ncreated: %s\nmodified: %s\naccessed: %s\n"+
		"isDirectory: %v\nisFile: %v\npermissions: %03o",
		d.Size, date(d.Created), date(d.ModTime), date(d.Accessed),
		d.Kind == workspace.Directory, d.Kind == workspace.Regular, d.Permissions))
	return page.Finish(nil)
}

// date formats a time like JavaScript in UTC: rounded to milliseconds as a floating-point number,
// then truncated to seconds.
func date(t time.Time) string {
	ms := math.Floor(float64(t.Unix())*1e3 + float64(t.Nanosecond())/1e6 + 0.5)
	u := time.Unix(int64(math.Floor(ms/1e3)), 0).UTC()
	return u.Format("Mon Jan 02 2006 15:04:05 ") + "GMT+0000 (Coordinated Universal Time)"
}
