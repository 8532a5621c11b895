package text

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gander/internal/shell/command"
	"gander/internal/shell/command/format"
)

func prepareDate(a command.Arguments) (command.Run, error) {
	layout := "%a %b %e %H:%M:%S %Z %Y"
	for _, operand := range a.Operands {
		given, ok := strings.CutPrefix(operand, "+")
		if !ok {
			return nil, command.Refuse("date %s: the clock cannot be set here; leave it out", operand)
		}
		layout = given
	}
	if unit, ok := a.Value("-I"); ok {
		layouts := map[string]string{
			"": "%Y-%m-%d", "date": "%Y-%m-%d", "hours": "%Y-%m-%dT%H%:z",
			"minutes": "%Y-%m-%dT%H:%M%:z", "seconds": "%Y-%m-%dT%H:%M:%S%:z",
		}
		layout, ok = layouts[unit]
		if !ok {
			return nil, command.Refuse("date -I%s: not available here; use a format", unit)
		}
	}
	if a.Has("-R") {
		layout = "%a, %d %b %Y %H:%M:%S %z"
	}
	zone := time.Local
	if a.Has("-u") {
		zone = time.UTC
	}
	at, hasTime := time.Time{}, false
	if text, ok := a.Value("-d"); ok {
		parsed, err := parseTime(text, zone)
		if err != nil {
			return nil, err
		}
		at, hasTime = parsed, !parsed.IsZero()
	}
	return func(ctx context.Context, c *command.Call) int {
		if !hasTime {
			at = time.Now()
		}
		if name, ok := a.Value("-r"); ok {
			location, err := c.Files.Find(ctx, name)
			if err == nil {
				info, statErr := location.Stat()
				at, err = info.ModTime, statErr
			}
			if err != nil {
				c.Fatalf(1, "%s: %s", command.Quote(name, false), command.Message(err))
			}
		}
		fmt.Fprintln(c.Out, format.Time(layout, at.In(zone)))
		return 0
	}, nil
}

// parseTime parses what date -d gets. It returns the zero time for now.
func parseTime(s string, zone *time.Location) (time.Time, error) {
	if s == "now" || s == "" {
		return time.Time{}, nil
	}
	if seconds, ok := strings.CutPrefix(s, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err == nil {
			return time.Unix(n, 0), nil
		}
	}
	for _, layout := range []string{
		time.RFC3339, time.DateOnly, time.DateTime, "2006-01-02 15:04", "2006-01-02T15:04:05",
		"2006-01-02 15:04:05 MST", "2006-01-02 MST",
	} {
		isOther := strings.HasSuffix(layout, "MST") && !strings.HasSuffix(s, "UTC")
		if t, err := time.ParseInLocation(layout, s, zone); err == nil && !isOther {
			return t, nil
		}
	}
	return time.Time{}, command.Refuse("date -d %s: not available here; use a date such as "+
		"2026-01-31 12:00, or @SECONDS", s)
}
