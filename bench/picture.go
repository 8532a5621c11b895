//go:build linux

package main

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// A chart compares the programs that answer one question.
type chart struct {
	title string
	bars  []bar
}

// A bar is the median of a program's times.
type bar struct {
	label string
	took  time.Duration
	ours  bool
}

// pictureTitles are the titles of the charts, by row. The picture does not show other rows.
var pictureTitles = map[string]string{
	"official-start": "Start a server and get its first result",
	"metadata":       "The first page of 1,000,000 entries of a directory, with size and time",
	"search-server":  "Search Go's source for functions whose names end in Handler",
}

// barsOf returns the bars of a measured row. Floors, reproductions, whose names contain a slash,
// and programs without samples have no bar.
func barsOf(r row, samples [][]sample) []bar {
	var bars []bar
	for i, p := range r.programs {
		hidden := strings.HasPrefix(p.name, "floor") || strings.Contains(p.name, "/")
		if hidden || len(samples[i]) == 0 {
			continue
		}
		var times []float64
		for _, s := range samples[i] {
			times = append(times, float64(s.took))
		}
		label := strings.Trim(p.name, "*")
		bars = append(bars, bar{label, time.Duration(median(times)), label != p.name})
	}
	return bars
}

// The sizes of a picture, in pixels.
const (
	pictureWidth = 760
	labelWidth   = 250
	valueWidth   = 80
	barHeight    = 18
	barPitch     = 26
	titleHeight  = 34
	chartGap     = 14
)

// style has the colors for light and dark pages.
const style = `
text{font:13px system-ui,sans-serif;fill:#24292f}
.title{font-weight:600;font-size:14px}
.value{font-variant-numeric:tabular-nums}
.other{fill:#afb8c1}
.ours{fill:#0969da}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.other{fill:#57606a}.ours{fill:#58a6ff}}
`

// writePicture writes the charts to an SVG file.
func writePicture(file string, charts []chart) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(drawCharts(f, charts), f.Close())
}

// drawCharts writes the charts as an SVG picture. The longest bar of a chart fills its width.
func drawCharts(out io.Writer, charts []chart) error {
	var body strings.Builder
	y := 0
	for _, c := range charts {
		y += titleHeight
		fmt.Fprintf(&body, "<text class=\"title\" x=\"0\" y=\"%d\">%s</text>\n", y-12, escape(c.title))
		for _, b := range c.bars {
			longest := slices.MaxFunc(c.bars, func(a, b bar) int { return cmp.Compare(a.took, b.took) })
			drawBar(&body, b, y, longest.took)
			y += barPitch
		}
		y += chartGap
	}
	_, err := fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "+
		"width=\"%d\" height=\"%d\" role=\"img\">\n<style>%s</style>\n%s</svg>\n",
		pictureWidth, y, pictureWidth, y, style, &body)
	return err
}

func drawBar(body *strings.Builder, b bar, y int, longest time.Duration) {
	class := "other"
	if b.ours {
		class = "ours"
	}
	const room = pictureWidth - labelWidth - valueWidth
	width := max(float64(b.took)/float64(longest)*room, 1)
	baseline := y + barHeight - 5
	fmt.Fprintf(body, "<text x=\"0\" y=\"%d\">%s</text>\n", baseline, escape(b.label))
	fmt.Fprintf(body, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"3\"/>\n",
		class, labelWidth, y, width, barHeight)
	fmt.Fprintf(body, "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s</text>\n",
		labelWidth+width+8, baseline, readable(b.took))
}

// readable returns a duration in milliseconds or seconds, with two significant digits at least.
func readable(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1000)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1000)
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}

func escape(s string) string {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(s)) // a Builder returns no errors
	return escaped.String()
}
