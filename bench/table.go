//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

const legend = `A call is timed from writing its line to reading its answer, in a server that has just started and answered one call about an
empty directory. A process and a start are timed from starting the process. ms is the median over the rounds, and best the
shortest time; x is the median, round by round, of the ratio to the first line of the table, and cpu x is that of processor time,
which other load affects less. Peak MB is the most memory that was resident. For a process it is at least the memory of this
one, since the kernel counts that too. Everything is in the page cache, and output is discarded.
`

// printRow writes the results of a row as a Markdown table.
func printRow(w io.Writer, r row, results []*result) {
	fmt.Fprintf(w, "\n### %s\n\n%s.\n\n", r.name, r.question)
	fmt.Fprint(w, "| Program | measured | ms | best | x | cpu x | peak MB | runs | goal |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n")
	base := results[0]
	var absent []string
	for _, one := range results {
		switch {
		case one.measure == nil:
			absent = append(absent, one.name)
		case len(one.samples) == 0:
			fmt.Fprintf(w, "| %s | %s | %s | | | | | 0 | |\n", one.name, one.measured, cell(one.note))
		default:
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %d | %s |\n", one.name, one.measured,
				milliseconds(median(one.times())), milliseconds(slices.Min(one.times())),
				factor(one.ratio(base)), factor(one.cpuRatio(base)), megabytes(one.peak()), len(one.samples),
				join(one.verdicts(base)))
		}
	}
	if len(absent) > 0 {
		fmt.Fprintf(w, "\nNot installed: %s.\n", strings.Join(absent, ", "))
	}
}

func join(verdicts []verdict) string {
	var parts []string
	for _, v := range verdicts {
		parts = append(parts, v.most+": "+v.String())
	}
	return strings.Join(parts, "; ")
}

// printGoals adds the goals of a row to the table that printGoalsHead begins.
func printGoals(w io.Writer, r row, results []*result) {
	for _, one := range results {
		for _, v := range one.verdicts(results[0]) {
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", r.name, one.name, v.most, v.measured, v)
		}
	}
}

func printGoalsHead(w io.Writer) {
	fmt.Fprint(w, "\n### goals\n\n| Row | Program | at most | measured | |\n|---|---|---|---|---|\n")
}

// time returns the time that the goal allows as text, such as "1.15 x + 0.4 ms".
func (g goal) time() string {
	var words []string
	if g.ratio > 0 {
		words = append(words, fmt.Sprintf("%g x", g.ratio))
	}
	if g.plus > 0 {
		words = append(words, fmt.Sprintf("%g ms", float64(g.plus)/float64(time.Millisecond)))
	}
	return strings.Join(words, " + ")
}

func milliseconds(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f", ms)
	default:
		return fmt.Sprintf("%.3f", ms)
	}
}

// factor returns a ratio as text; "" for 0.
func factor(x float64) string {
	switch {
	case x == 0:
		return ""
	case x >= 10:
		return fmt.Sprintf("%.0f", x)
	case x >= 0.1:
		return fmt.Sprintf("%.2f", x)
	default:
		return fmt.Sprintf("%.4f", x)
	}
}

// megabytes returns a number of bytes as text; "" for 0, which is unknown.
func megabytes(bytes int64) string {
	switch mb := float64(bytes) / 1e6; {
	case bytes == 0:
		return ""
	case mb >= 100:
		return fmt.Sprintf("%.0f", mb)
	default:
		return fmt.Sprintf("%.3g", mb)
	}
}

// cell escapes text for a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
