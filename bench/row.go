//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// maxMeasurement is the maximum duration of a measurement.
const maxMeasurement = 2 * time.Minute

// A row is a question and the programs that answer it. The first is the base of the ratios.
type row struct {
	name     string
	question string
	programs []program
}

// A program answers the question of a row.
type program struct {
	name string
	goal goal
	// measure runs the program in a new process. It is nil if the program is not installed.
	measure func(context.Context) (sample, error)
}

// A goal is the maximum time, ratio times the time of the base plus a constant, and the maximum
// memory in bytes. Zero means no maximum.
type goal struct {
	ratio float64
	plus  time.Duration
	peak  float64
}

// A sample is the result of a measurement. A cpu or peak of zero is unknown.
type sample struct {
	took, cpu time.Duration
	peak      int64 // memory in bytes
}

// measure runs the programs in turns, after one run of each that does not count. The samples of a
// program end at its first error.
func (r row) measure(ctx context.Context, rounds int) [][]sample {
	samples := make([][]sample, len(r.programs))
	failed := make([]bool, len(r.programs))
	for round := range rounds + 1 {
		for i, p := range r.programs {
			if p.measure == nil || failed[i] {
				continue
			}
			limited, cancel := context.WithTimeout(ctx, maxMeasurement)
			s, err := p.measure(limited)
			cancel()
			switch {
			case err != nil:
				failed[i] = true
				r.programs[i].name += fmt.Sprintf(" (%.100q)", err)
			case round > 0:
				samples[i] = append(samples[i], s)
			}
		}
	}
	return samples
}

// print writes the samples of the programs as a table in Markdown.
func (r row) print(w io.Writer, samples [][]sample) {
	fmt.Fprintf(w, "\n### %s\n\n%s.\n\n", r.name, r.question)
	fmt.Fprint(w, "| program | ms | best | x | cpu x | peak MB | runs | goal |\n")
	fmt.Fprint(w, "|---|---:|---:|---:|---:|---:|---:|---|\n")
	for i, p := range r.programs {
		if len(samples[i]) == 0 {
			fmt.Fprintf(w, "| %s | | | | | | 0 | |\n", p.name)
			continue
		}
		f := p.goal.figures(samples[i], samples[0])
		fmt.Fprintf(w, "| %s | %.4g | %.4g | %s | %s | %.3g | %d | %s |\n", p.name,
			median(f.times), slices.Min(f.times), ratio(f.ratios), ratio(f.cpuRatios), f.peak/1e6,
			len(f.times), p.goal.verdict(median(f.used), f.peak))
	}
}

// figures are the numbers of a program, one for each sample.
type figures struct {
	times             []float64 // in milliseconds
	ratios, cpuRatios []float64 // to the base
	used              []float64 // part of the maximum time of the goal
	peak              float64   // of all samples, in bytes
}

func (g goal) figures(samples, base []sample) (f figures) {
	for i, s := range samples {
		var b sample // without a base, ratios are infinite
		if i < len(base) {
			b = base[i]
		}
		most := g.ratio*float64(b.took) + float64(g.plus)
		f.times = append(f.times, s.took.Seconds()*1000)
		f.ratios = append(f.ratios, float64(s.took)/float64(b.took))
		f.cpuRatios = append(f.cpuRatios, float64(s.cpu)/float64(b.cpu))
		f.used = append(f.used, float64(s.took)/most)
		f.peak = max(f.peak, float64(s.peak))
	}
	return f
}

// ratio returns the median ratio, or "" if it is unknown.
func ratio(ratios []float64) string {
	m := median(ratios)
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return ""
	}
	return fmt.Sprintf("%.3g", m)
}

// verdict describes the goal and how much of it was used.
func (g goal) verdict(used, peak float64) string {
	text := ""
	if g.ratio > 0 || g.plus > 0 {
		text = fmt.Sprintf("%g x + %v: %.0f %%", g.ratio, g.plus, 100*used)
	}
	if g.peak > 0 {
		text += fmt.Sprintf(" %g MB: %.0f %%", g.peak/1e6, 100*peak/g.peak)
	}
	return text
}

// median returns the median of at least one value.
func median(values []float64) float64 {
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}
