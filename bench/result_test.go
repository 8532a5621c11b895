//go:build linux

package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// fake returns a program that takes these times one after the other, in milliseconds; the first is the warm-up.
func fake(name string, g goal, times ...int) program {
	next := 0
	return program{name: name, measured: "call", goal: g, measure: func(context.Context) (sample, error) {
		t := time.Duration(times[next]) * time.Millisecond
		next++
		return sample{took: t, peak: 5e6}, nil
	}}
}

func TestMeasure(t *testing.T) {
	broken := program{name: "broken", measured: "call", measure: func(context.Context) (sample, error) {
		return sample{}, errors.New("it is | broken")
	}}
	r := row{name: "row", question: "Which", programs: []program{
		fake("base", goal{}, 1000, 10, 20, 100),
		fake("quick", goal{ratio: 1.5, plus: time.Millisecond, peak: 4e6}, 1000, 15, 24, 160),
		broken,
		{name: "absent", measured: "process"},
	}}
	results := r.measure(t.Context(), 3)
	var out strings.Builder
	printRow(&out, r, results)
	printGoals(&out, r, results)
	for _, line := range []string{
		"| base | call | 20.0 | 10.0 | 1.00 |  | 5 | 3 |  |",
		"| quick | call | 24.0 | 15.0 | 1.50 |  | 5 | 3 | 1.5 x + 1 ms: met, 94 % used; 4 MB: **missed**, 125 % used |",
		`| broken | call | it is \| broken | | | | | 0 | |`,
		"Not installed: absent.",
		"| row | quick | 1.5 x + 1 ms | 1.50 x, 24.0 ms | met, 94 % used |",
		"| row | quick | 4 MB | 5 MB | **missed**, 125 % used |",
	} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("lacks the line\n%s\nin\n%s", line, out.String())
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
