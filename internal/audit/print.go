package audit

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"gander/tool"
)

// maxLine is the maximum size of a line that is read. A record has paths of at most 512 KiB, and a
// pattern for each of 1,000; each byte can take six.
const maxLine = 64 << 20

// A Summary sums up records.
type Summary struct {
	Calls, Failed, Damaged int
	Omitted                int // opened or refused paths that the records do not name
	Files                  map[string]Use
	Clients                map[string]Use
	Refused                map[string]int // by what is printed of them
}

// A Use sums up calls that used a file, or that a client made.
type Use struct {
	Calls int
	Bytes int64 // read from the file, or returned to the client
	Last  time.Time
}

// Read sums up the records of a log since a time: those in the file, and the older ones in its
// predecessor, if there is one.
func Read(file string, since time.Time) (Summary, error) {
	f, err := os.Open(file)
	if err != nil {
		return Summary{}, err
	}
	defer f.Close()
	readers := []io.Reader{f}
	old, err := os.Open(file + ".1")
	if err == nil {
		defer old.Close()
		readers = []io.Reader{old, f}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Summary{}, err
	}
	s, err := Summarize(io.MultiReader(readers...), since)
	if err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// Summarize reads the records of a file since a time. Lines that are no record are counted.
func Summarize(in io.Reader, since time.Time) (Summary, error) {
	s := Summary{
		Files: make(map[string]Use), Clients: make(map[string]Use), Refused: make(map[string]int),
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var r tool.Record
		if len(lines.Bytes()) == 0 {
			continue
		}
		if json.Unmarshal(lines.Bytes(), &r) != nil {
			s.Damaged++
			continue
		}
		if !r.Time.Before(since) {
			s.add(r)
		}
	}
	return s, lines.Err()
}

func (s *Summary) add(r tool.Record) {
	s.Calls++
	if r.Error != "" {
		s.Failed++
	}
	s.Omitted += r.Omitted
	client := clientName(r.Client)
	s.Clients[client] = s.Clients[client].with(int64(r.Returned), r.Time)
	for _, o := range r.Opened {
		if !o.Directory {
			s.Files[o.Path] = s.Files[o.Path].with(o.Bytes, r.Time)
		}
	}
	for _, x := range r.Refused {
		why := "outside"
		if x.Pattern != "" {
			why = "denied by " + x.Pattern
		}
		s.Refused[fmt.Sprintf("%s, by %s with %s: %s", why, client, r.Tool, x.Path)]++
	}
}

func (u Use) with(bytes int64, at time.Time) Use {
	u.Calls++
	u.Bytes += bytes
	if at.After(u.Last) {
		u.Last = at
	}
	return u
}

// clientName names a client by its token, or else by its address.
func clientName(c tool.Client) string {
	return cmp.Or(c.Token, c.Address, "the client on standard input, or a command")
}

// Print writes a summary: refused attempts first, then files and clients, those used most first.
// line makes a text safe to print on one line.
func (s Summary) Print(w io.Writer, line func(string) string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d calls, %d failed", s.Calls, s.Failed)
	if s.Damaged > 0 {
		fmt.Fprintf(out, "; %d damaged lines", s.Damaged)
	}
	if s.Omitted > 0 {
		fmt.Fprintf(out, "; %d opened or refused paths are not named in the records", s.Omitted)
	}
	fmt.Fprintf(out, "\n\nrefused: %d paths\n", len(s.Refused))
	byRefusals := mostFirst(func(text string) int { return s.Refused[text] })
	for _, text := range slices.SortedFunc(maps.Keys(s.Refused), byRefusals) {
		fmt.Fprintf(out, "%8d  %s\n", s.Refused[text], line(text))
	}
	printUses(out, "files", "read", s.Files, line)
	printUses(out, "clients", "returned", s.Clients, line)
	return out.Flush()
}

// mostFirst orders names by a number, and those with the same by themselves.
func mostFirst(count func(name string) int) func(a, b string) int {
	return func(a, b string) int {
		return cmp.Or(cmp.Compare(count(b), count(a)), cmp.Compare(a, b))
	}
}

func printUses(out io.Writer, title, verb string, uses map[string]Use, line func(string) string) {
	fmt.Fprintf(out, "\n%s: %d\n   calls  bytes %-10s  last\n", title, len(uses), verb)
	byCalls := mostFirst(func(name string) int { return uses[name].Calls })
	for _, name := range slices.SortedFunc(maps.Keys(uses), byCalls) {
		u := uses[name]
		at := u.Last.Local().Format(time.DateTime)
		fmt.Fprintf(out, "%8d  %16d  %s  %s\n", u.Calls, u.Bytes, at, line(name))
	}
}
