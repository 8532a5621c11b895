//go:build linux

package main

import (
	"context"
	"slices"
	"time"
)

// A sample is one measurement.
type sample struct {
	took time.Duration
	cpu  time.Duration // user and system time of all threads
	peak int64         // bytes; the most memory that was resident since the process started, 0 where it is not known
}

// A measurement takes a sample, in a process of its own.
type measurement func(ctx context.Context) (sample, error)

// median returns the middle of values: the mean of the two where there are two, and 0 where there is none.
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
