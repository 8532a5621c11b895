//go:build linux

package main

import (
	"context"
	"slices"
	"time"
)

const (
	measurementTimeout = 120 * time.Second // the longest that one measurement may take
	rowTimeout         = 60 * time.Second  // once a program has been measured for so long in a row, it skips the remaining rounds
)

// A row is one question that is put to several programs. The first program is the base that the others are compared with.
type row struct {
	name     string
	question string
	programs []program
	repeat   int // the number of rounds is multiplied by repeat; 0 means 1
}

// A program is one way to answer the question of a row.
type program struct {
	name     string
	measured string      // what is measured: a call, a start or a process
	measure  measurement // nil if the program is not installed
	goal     goal
}

// A measurement runs a program in a process of its own and returns a sample.
type measurement func(ctx context.Context) (sample, error)

// A sample is the outcome of one measurement.
type sample struct {
	took time.Duration
	cpu  time.Duration // processor time; 0 if it is not measured
	peak int64         // the most memory that was resident, in bytes; 0 if unknown
}

// A goal is the most that a program may take: ratio times the base's time and plus on top, and peak bytes of memory. The
// zero value is no goal.
type goal struct {
	ratio float64
	plus  time.Duration
	peak  int64
}

// measure runs every program once to warm up, and then once in every round. If the warm-up of a program exceeds rowTimeout,
// it is the program's only sample.
func (r row) measure(ctx context.Context, rounds int) []*result {
	var results []*result
	for _, p := range r.programs {
		one := &result{program: p}
		results = append(results, one)
		if p.measure == nil {
			one.note = "not installed"
			continue
		}
		if one.take(ctx); one.spent < rowTimeout {
			one.samples = nil
		}
	}
	for range rounds * max(r.repeat, 1) {
		for _, one := range results {
			if one.note == "" && one.spent < rowTimeout {
				one.take(ctx)
			}
		}
	}
	return results
}

// median returns the median of values, and 0 if there are none.
func median[T ~int64 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
