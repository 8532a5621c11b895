//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// A result is what was measured of a program.
type result struct {
	program
	samples []sample // by round; fewer than the base's where the program missed some
	note    string   // why there are no more
	spent   time.Duration
}

// take takes a sample, or notes why there is none.
func (r *result) take(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	start := time.Now()
	s, err := r.program.measure(ctx)
	r.spent += time.Since(start)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.note = fmt.Sprintf("stopped after %s", longest)
	case err != nil:
		r.note = err.Error()
	default:
		r.samples = append(r.samples, s)
	}
}

func took(s sample) time.Duration { return s.took }

func cpu(s sample) time.Duration { return s.cpu }

// times returns the times of all samples.
func (r *result) times() []time.Duration {
	var values []time.Duration
	for _, s := range r.samples {
		values = append(values, s.took)
	}
	return values
}

// peak returns the most memory of all samples, in bytes; 0 where it is not known.
func (r *result) peak() int64 {
	var most int64
	for _, s := range r.samples {
		most = max(most, s.peak)
	}
	return most
}

// ratio returns the median, over the rounds, of how a value relates to the base's; 0 without samples.
func (r *result) ratio(base *result, value func(sample) time.Duration) float64 {
	return r.against(base, func(s, b sample) float64 { return float64(value(s)) / float64(max(value(b), 1)) })
}

func (r *result) against(base *result, compare func(s, b sample) float64) float64 {
	var values []float64
	for i, s := range r.samples[:min(len(r.samples), len(base.samples))] {
		values = append(values, compare(s, base.samples[i]))
	}
	return median(values)
}

// A verdict is how a program did by one part of its goal.
type verdict struct {
	most     string  // what the goal allows
	measured string  // what the program took
	used     float64 // the part of it that was used, in the median round; up to 1 the goal is met
}

// verdicts returns one for the time and one for the memory that the program's goal names.
func (r *result) verdicts(base *result) []verdict {
	var all []verdict
	if len(r.samples) == 0 || len(base.samples) == 0 {
		return nil
	}
	if g := r.goal; g.ratio > 0 || g.plus > 0 {
		used := r.against(base, func(s, b sample) float64 {
			return float64(s.took) / (g.ratio*float64(b.took) + float64(g.plus))
		})
		measured := milliseconds(median(r.times())) + " ms"
		if g.ratio > 0 {
			measured = fmt.Sprintf("%s x, %s", factor(r.ratio(base, took)), measured)
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
