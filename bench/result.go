//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A result holds the samples of one program in a row.
type result struct {
	program
	samples []sample // one for each round; fewer than the base has if the program skipped some
	note    string   // why there are no more samples
	spent   time.Duration
}

// take adds a sample, or notes why there is none.
func (r *result) take(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, measurementTimeout)
	defer cancel()
	start := time.Now()
	s, err := r.program.measure(ctx)
	r.spent += time.Since(start)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.note = fmt.Sprintf("stopped after %s", measurementTimeout)
	case err != nil:
		r.note = err.Error()
	default:
		r.samples = append(r.samples, s)
	}
}

// times returns the time of every sample.
func (r *result) times() []time.Duration {
	var values []time.Duration
	for _, s := range r.samples {
		values = append(values, s.took)
	}
	return values
}

// peak returns the largest peak of all samples, in bytes; 0 if it is unknown.
func (r *result) peak() int64 {
	var most int64
	for _, s := range r.samples {
		most = max(most, s.peak)
	}
	return most
}

// ratio returns the median ratio of the program's time to the base's time in the same round; 0 without samples.
func (r *result) ratio(base *result) float64 {
	return r.medianOf(base, func(s, b sample) float64 { return float64(s.took) / float64(max(b.took, 1)) })
}

// cpuRatio is like ratio, for processor time.
func (r *result) cpuRatio(base *result) float64 {
	return r.medianOf(base, func(s, b sample) float64 { return float64(s.cpu) / float64(max(b.cpu, 1)) })
}

// medianOf returns the median of compare over the rounds in which both programs were measured.
func (r *result) medianOf(base *result, compare func(s, b sample) float64) float64 {
	var values []float64
	for i, s := range r.samples[:min(len(r.samples), len(base.samples))] {
		values = append(values, compare(s, base.samples[i]))
	}
	return median(values)
}

// A verdict says whether a program met one part of its goal.
type verdict struct {
	most     string  // what the goal allows
	measured string  // what the program took
	used     float64 // the share of the goal that the median round used; the goal is met up to 1
}

// verdicts returns a verdict for each of time and memory that the program's goal limits.
func (r *result) verdicts(base *result) []verdict {
	var all []verdict
	if len(r.samples) == 0 || len(base.samples) == 0 {
		return nil
	}
	if g := r.goal; g.ratio > 0 || g.plus > 0 {
		used := r.medianOf(base, func(s, b sample) float64 {
			return float64(s.took) / (g.ratio*float64(b.took) + float64(g.plus))
		})
		measured := milliseconds(median(r.times())) + " ms"
		if g.ratio > 0 {
			measured = fmt.Sprintf("%s x, %s", factor(r.ratio(base)), measured)
		}
		all = append(all, verdict{g.time(), measured, used})
	}
	if most := r.goal.peak; most > 0 {
		all = append(all, verdict{megabytes(most) + " MB", megabytes(r.peak()) + " MB", float64(r.peak()) / float64(most)})
	}
	return all
}

func (v verdict) String() string {
	word := "met"
	if v.used > 1 {
		word = "**missed**"
	}
	return fmt.Sprintf("%s, %.0f %% used", word, 100*v.used)
}
