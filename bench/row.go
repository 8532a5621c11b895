//go:build linux

package main

import (
	"context"
	"time"
)

const (
	// longest is how long one measurement may take.
	longest = 120 * time.Second
	// patience is how long a program may be measured in one row; then it misses the remaining rounds.
	patience = 60 * time.Second
)

// A row is one question, put to several programs in turn. The first of them is the base that the others are compared to.
type row struct {
	name     string
	question string
	programs []program
	factor   int // how many times as many rounds as usual it gets; 0 means 1
}

// A program is one way to answer the question of a row.
type program struct {
	name     string
	measured string      // what is measured: a call, a start or a process
	measure  measurement // nil where the program is not installed
	goal     goal
}

// A goal is the most that a program may take. The zero value is no goal.
type goal struct {
	ratio float64       // times the base
	plus  time.Duration // and so much more
	peak  int64         // bytes
}

// measure puts the question to every program once to warm up, and then in so many rounds. The warm-up of a program that
// has no time for more counts as its only sample.
func (r row) measure(ctx context.Context, rounds int) []*result {
	var results []*result
	for _, p := range r.programs {
		one := &result{program: p}
		results = append(results, one)
		if p.measure == nil {
			one.note = "not installed"
			continue
		}
		if one.take(ctx); one.spent < patience {
			one.samples = nil
		}
	}
	for range rounds * max(r.factor, 1) {
		for _, one := range results {
			if one.note == "" && one.spent < patience {
				one.take(ctx)
			}
		}
	}
	return results
}
