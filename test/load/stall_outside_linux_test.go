package load

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestDeadDiskOutside calls every tool with paths outside the root on a file system that does not
// respond, and with a directory that contains symlinks to it. No call may access the file system.
func TestDeadDiskOutside(t *testing.T) {
	top := fixture.Make(t, "w/d/f", "w/d/in => f", "w/d/out => ../../dead/x", "w/d/abs => {root}/dead",
		"w/d/deep => {root}/dead/x/y", "dead/", "way => dead/x")
	mountDead(t, top+"/dead")
	for _, tools := range toolSets() {
		toolset := testkit.Open(t, gander.Options{
			Roots: []string{top + "/w"}, Tools: tools, Limits: gander.Limits{Timeout: deadline},
		})
		calls := deadCalls(top, tools...)
		for _, id := range slices.Sorted(maps.Keys(calls)) {
			for _, target := range []string{
				top + "/dead/x", top + "/dead", top + "/way/y", top + "/dead/../w/d",
				top + "/w/d/out", top + "/w/d/abs/y", top + "/w/d/deep", top + "/w/d",
			} {
				args := strings.NewReplacer(
					`"dead"`, `"`+target+`"`, `"dead/f"`, `"`+target+`"`,
					`"`+top+`/dead"`, `"`+target+`"`, `"`+top+`/dead/f"`, `"`+target+`"`,
					`"path":"."`, `"path":"`+target+`"`, `"pattern":"*.go"`, `"path":"`+target+`"`,
				).Replace(calls[id])
				start := time.Now()
				_, err := toolset.Call(t.Context(), id, []byte(args))
				if errors.Is(err, context.DeadlineExceeded) || time.Since(start) > deadline {
					t.Errorf("%s %s: after %v: %v", id, args, time.Since(start), err)
				}
				if target == top+"/w/d" && strings.Contains(id, "list_dir") && err != nil {
					t.Errorf("%s %s: %v", id, args, err)
				}
			}
		}
	}
}
