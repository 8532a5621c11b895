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

// getFileInfo runs get_file_info (section 7).
func (t *Tool) getFileInfo(ctx context.Context, c tool.Call) (tool.Result, error) {
	at, err := t.findOnly(ctx, c.Args)
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
	content := fmt.Sprintf("size: %d\ncreated: %s\nmodified: %s\naccessed: %s\n"+
		"isDirectory: %v\nisFile: %v\npermissions: %03o",
		d.Size, date(d.Created), date(d.ModTime), date(d.Accessed),
		d.Kind == workspace.Directory, d.Kind == workspace.Regular, d.Permissions)
	if limit, limited := c.Budget.Limit(); limited && len(content) > limit {
		return tool.Result{}, shared.TooSmall(c.Budget)
	}
	return tool.Result{Parts: tool.Text(content)}, nil
}

// date formats a time like JavaScript in UTC: rounded to milliseconds as a floating-point number,
// then truncated to seconds.
func date(t time.Time) string {
	ms := math.Floor(float64(t.Unix())*1e3 + float64(t.Nanosecond())/1e6 + 0.5)
	u := time.Unix(int64(math.Floor(ms/1e3)), 0).UTC()
	return u.Format("Mon Jan 02 2006 15:04:05 ") + "GMT+0000 (Coordinated Universal Time)"
}
