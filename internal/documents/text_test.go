package documents

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pages is a format whose documents have the given pages. Its failure, if any, ends the document. A
// damaged one begins with a line about that. A document inflates 100 bytes, and 10 for each page. It
// can write the pages before the first that is wanted, too.
type pages struct {
	pages    [][]string
	failure  error
	damaged  bool
	writeAll bool
}

func (pages) Recognize(context.Context, *Source) (bool, error) { return true, nil }

func (p pages) Write(_ context.Context, src *Source, w *Writer) error {
	src.inflation.used += 100
	if p.damaged && w.First() == 1 {
		w.Line([]byte("(the file is damaged)"))
	}
	first := w.First()
	if p.writeAll {
		first = 1
	}
	for i := first - 1; i < len(p.pages); i++ {
		src.inflation.used += 10
		if src.inflation.left() < 0 {
			return TooLargef("more than %d bytes when inflated", src.inflation.limit)
		}
		w.Mark(Mark{Kind: Page, Number: i + 1, Total: len(p.pages)})
		for _, line := range p.pages[i] {
			w.Line([]byte(line))
			if w.Err() != nil {
				return w.Err()
			}
		}
		w.Gap()
	}
	return p.failure
}

// TestText reads texts at random offsets, and marks in a random order, and compares them with the
// lines of the document. Several texts share an outline. Some exceed a limit.
func TestText(t *testing.T) {
	for seed := range uint64(24) {
		random := rand.New(rand.NewPCG(seed, 1))
		format := randomPages(random)
		format.writeAll = seed%2 == 1
		limits := []Limits{{}, {Text: random.Int64N(1 << 20)}, {Inflated: 100 + random.Int64N(600)}}[seed%3]
		document := &Document{format, &Source{}}
		want, places := wholeText(t, document, limits)
		outline := new(Outline)
		var group sync.WaitGroup
		for range 3 {
			random := rand.New(rand.NewPCG(seed, random.Uint64()))
			group.Go(func() {
				text := (&Document{format, &Source{}}).Text(t.Context(), limits, outline)
				defer text.Close()
				for range 30 {
					checkRead(t, text, want, random)
					checkFind(t, text, places, random)
				}
			})
		}
		group.Wait()
		for i, p := range places {
			if at, ok := outline.At(p.Line); !ok || at.Mark != p.Mark || at.Line != p.Line {
				t.Fatalf("seed %d: At(%d) = %v, %v, want %v", seed, p.Line, at, ok, places[i])
			}
		}
	}
}

func randomPages(random *rand.Rand) pages {
	var p pages
	for range random.IntN(60) {
		var lines []string
		for range random.IntN(40) {
			long := random.IntN(30) == 0
			lines = append(lines, strings.Repeat(fmt.Sprint(random.IntN(10)), random.IntN(100)))
			if long {
				lines = append(lines, strings.Repeat("long ", random.IntN(MaxLine/5)))
			}
		}
		p.pages = append(p.pages, lines)
	}
	p.damaged = random.IntN(3) == 0
	if random.IntN(3) == 0 {
		p.failure = Invalidf("its last page is missing")
	}
	return p
}

// wholeText returns the text of a document and its places by reading its lines.
func wholeText(t *testing.T, d *Document, limits Limits) (text string, places []Place) {
	var b bytes.Buffer
	n := 0
	for line, err := range d.Lines(t.Context(), limits) {
		if err != nil && n == 0 {
			return "", nil
		}
		if err != nil {
			b.WriteString("(the rest cannot be read: the document " + err.Error() + ")\n")
			break
		}
		n++
		if line.Mark.Kind != 0 {
			places = append(places, Place{line.Mark, n, int64(b.Len()), d.src.inflation.used})
		}
		b.Write(line.Text)
		b.WriteByte('\n')
	}
	return b.String(), places
}

func checkRead(t *testing.T, text *Text, want string, random *rand.Rand) {
	offset := random.IntN(len(want) + 10)
	b := make([]byte, random.IntN(256<<10))
	n, err := text.ReadAt(b, int64(offset))
	rest := want[min(offset, len(want)):]
	if len(want) == 0 && err != nil {
		return // no line was read before the failure
	}
	short := len(rest) < len(b)
	if string(b[:n]) != rest[:min(len(b), len(rest))] || short && err != io.EOF ||
		!short && err != nil && offset < len(want) {
		t.Errorf("ReadAt(%d bytes, %d) = %d, %v; the text has %d bytes",
			len(b), offset, n, err, len(want))
	}
}

func checkFind(t *testing.T, text *Text, places []Place, random *rand.Rand) {
	number := random.IntN(len(places)+3) - 1
	got, found, err := text.Find(func(m Mark) bool { return m.Number == number })
	if len(places) == 0 && err != nil {
		return
	}
	exists := 1 <= number && number <= len(places)
	if err != nil || found != exists || found && got != places[number-1] {
		t.Errorf("Find(%d of %d) = %v, %v, %v", number, len(places), got, found, err)
	}
}

// TestManyMarks finds marks for which an outline has no room.
func TestManyMarks(t *testing.T) {
	const last = 16<<10 + 2
	d := &Document{pages{pages: make([][]string, last)}, &Source{}}
	outline := new(Outline)
	text := d.Text(t.Context(), Limits{}, outline)
	defer text.Close()
	for _, number := range []int{last, last - 1, 1, last} {
		p, found, err := text.Find(func(m Mark) bool { return m.Number == number })
		if p.Number != number || !found || err != nil {
			t.Errorf("Find(%d) = %v, %v, %v", number, p, found, err)
		}
		at, known := outline.At(p.Line)
		if isKnown := number == 1; known != isKnown || known && at.Number != number {
			t.Errorf("At(%d) = %v, %v", p.Line, at, known)
		}
	}
	if outline.Whole() {
		t.Error("all marks are recorded")
	}
}

// TestTextFails reads documents without any line that can be read.
func TestTextFails(t *testing.T) {
	d := &Document{pages{failure: ErrEncrypted}, &Source{}}
	text := d.Text(t.Context(), Limits{}, new(Outline))
	defer text.Close()
	for range 2 {
		if _, err := text.ReadAt(make([]byte, 1), 0); err != ErrEncrypted {
			t.Errorf("got %v, want %v", err, ErrEncrypted)
		}
	}
}

// A slow format writes lines, of which each takes a minute, after it has waited for an hour.
type slow struct{}

func (slow) Recognize(context.Context, *Source) (bool, error) { return true, nil }

func (slow) Write(ctx context.Context, src *Source, w *Writer) error {
	sleep := func(d time.Duration) error {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	src.Pause()
	err := sleep(time.Hour)
	src.Resume()
	for err == nil && w.Err() == nil {
		err = sleep(time.Minute)
		w.Line([]byte("line"))
	}
	return err
}

// TestTime checks that the time of a text is that of reading it.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &Document{slow{}, &Source{}}
		limits := Limits{Time: 150 * time.Second}
		text := d.Text(t.Context(), limits, new(Outline))
		defer text.Close()
		const line = "line\n"
		var b [len(line)]byte
		for i := range 2 {
			_, err := text.ReadAt(b[:], int64(i*len(line)))
			if err != nil || string(b[:]) != line {
				t.Errorf("line %d: %q, %v", i+1, b, err)
			}
			time.Sleep(time.Hour)
		}
		start := time.Now()
		_, err := text.ReadAt(b[:], int64(2*len(line)))
		if took := time.Since(start); err != context.DeadlineExceeded || took != 30*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		n, err := text.ReadAt(make([]byte, 100), int64(len(line)))
		if n != len(line) || err != context.DeadlineExceeded {
			t.Errorf("%d bytes of the last line, %v", n, err)
		}
	})
}
