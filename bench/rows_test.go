//go:build linux

package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gander/bench/data"
	"gander/internal/testkit"
)

// TestRows measures every installed program of every row once, with little data.
func TestRows(t *testing.T) {
	testkit.SkipLong(t)
	dir := t.TempDir()
	set := data.Set{
		Dir: filepath.Join(dir, "data"), WideNames: 100, MediumNames: 50, Packages: 10, Lines: 25_072,
		TextFiles: 100, Requests: 1000,
	}
	for range 2 {
		testkit.Must(t, set.Make())
	}
	b, err := newBench(t.Context(), dir, set, options{})
	testkit.Must(t, err)
	source := filepath.Join(dir, "source")
	testkit.Must(t, os.CopyFS(filepath.Join(source, "net"), os.DirFS(filepath.Join(b.source, "net"))))
	b.source = source
	for _, r := range b.rows() {
		samples := r.measure(t.Context(), 1)
		for i, p := range r.programs {
			if p.measure != nil && (len(samples[i]) != 1 || samples[i][0].took <= 0) {
				t.Errorf("%s, %s: %+v", r.name, p.name, samples[i])
			}
		}
		var table strings.Builder
		if r.print(&table, samples); strings.Count(table.String(), "\n") != 7+len(r.programs) {
			t.Errorf("%s:\n%s", r.name, &table)
		}
	}
}

func TestVerdict(t *testing.T) {
	g := goal{ratio: 2, peak: 4e6}
	if got, want := g.verdict(0.5, 5e6), "2 x + 0s: 50 % 4 MB: 125 %"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if m := median([]float64{4, 1, 9, 2}); m != 3 {
		t.Errorf("median %v", m)
	}
}

// TestPicture checks that the picture is XML with a bar for each program, and a number beside it.
func TestPicture(t *testing.T) {
	r := row{name: "metadata", programs: []program{
		{name: "floor: getdents64"},
		{name: "**gander list_dir**"},
		{name: "**gander forge/list_directory**"},
		{name: "ls <-la>"},
		{name: "missing"},
	}}
	second := func(n float64) []sample {
		return []sample{{took: time.Duration(n * float64(time.Second))}}
	}
	samples := [][]sample{second(0.2), second(0.35), second(0.4), second(7), nil}
	bars := barsOf(r, samples)
	want := []bar{
		{"gander list_dir", 350 * time.Millisecond, true}, {"ls <-la>", 7 * time.Second, false},
	}
	if !slices.Equal(bars, want) {
		t.Fatalf("bars %v, not %v", bars, want)
	}
	var picture strings.Builder
	testkit.Must(t, drawCharts(&picture, []chart{{pictureTitles[r.name], bars}}))
	if err := xml.Unmarshal([]byte(picture.String()), new(struct{})); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"350 ms", "7.0 s", "ls &lt;-la&gt;", "1,000,000 entries"} {
		if !strings.Contains(picture.String(), text) {
			t.Errorf("%q is missing in\n%s", text, &picture)
		}
	}
}
