package text

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/shell/command"
)

// A span is a range of fields or bytes, counted from 1.
type span struct{ low, high int }

// A cutter is a cut with its options.
type cutter struct {
	spans        []span // ascending, without overlap
	isFields     bool
	delimiter    []byte
	output       string // the delimiter of the output
	onlyWithMark bool
}

func prepareCut(a command.Arguments) (_ command.Run, err error) {
	k := cutter{isFields: a.Has("-f"), delimiter: []byte{'\t'}, onlyWithMark: a.Has("-s")}
	var lists []string
	for _, o := range a.Options {
		switch o.Name {
		case "-b", "-c", "-f":
			lists = append(lists, o.Value)
		case "-d":
			if len(o.Value) > 1 {
				return nil, command.UsageError("the delimiter must be a single character")
			}
			if o.Value == "\n" {
				return nil, command.Refuse("cut -d: a line feed is not available here; use sed -n 2p")
			}
			k.delimiter = []byte(o.Value + "\x00")[:1]
		}
	}
	switch {
	case len(lists) == 0:
		return nil, command.UsageError("you must specify a list of bytes, characters, or fields")
	case len(lists) > 1:
		return nil, command.UsageError("only one list may be specified")
	case !k.isFields && a.Has("-d"):
		return nil, command.UsageError("an input delimiter may be specified only when " +
			"operating on fields")
	case !k.isFields && k.onlyWithMark:
		return nil, command.UsageError("suppressing non-delimited lines makes sense\n" +
			"\tonly when operating on fields")
	}
	output, hasOutput := a.Value("--output-delimiter")
	if !hasOutput && k.isFields {
		output = string(k.delimiter)
	}
	k.output = output
	k.spans, err = parseSpans(lists[0])
	return func(ctx context.Context, c *command.Call) int {
		return c.EachLine(ctx, a.Operands, func(text []byte, _ bool) { k.line(c.Out, text) })
	}, err
}

// maxSpans bounds a list, for the time that it takes.
const maxSpans = 1000

func parseSpans(list string) ([]span, error) {
	var spans []span
	for text := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(text, "-")
		if !isRange {
			high = low
		}
		first, isFirst := parsePlace(low, 1)
		last, isLast := parsePlace(high, math.MaxInt)
		if !isFirst || !isLast || low+high == "" || len(spans) == maxSpans {
			return nil, command.Refuse("cut %s: this list is not available here", list)
		}
		s := span{first, last}
		if s.high < s.low {
			return nil, command.UsageError("invalid decreasing range")
		}
		spans = append(spans, s)
	}
	return merge(spans), nil
}

// parsePlace returns the number of a field or byte, or otherwise if there is none.
func parsePlace(digits string, otherwise int) (n int, ok bool) {
	if digits == "" {
		return otherwise, true
	}
	place, err := strconv.ParseUint(digits, 10, 31)
	return int(place), err == nil && digits[0] != '0'
}

// merge sorts spans and joins those that overlap.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	merged := spans[:1]
	for _, s := range spans[1:] {
		last := &merged[len(merged)-1]
		if s.low <= last.high {
			last.high = max(last.high, s.high)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

func (k *cutter) line(out *command.Output, text []byte) {
	hasMark := !k.isFields || bytes.Contains(text, k.delimiter)
	switch {
	case !hasMark && k.onlyWithMark:
		return
	case !hasMark:
		out.Write(text)
	case k.isFields:
		k.fields(out, text)
	default:
		for i, s := range k.spans {
			if s.low > len(text) {
				break
			}
			if i > 0 {
				out.WriteString(k.output)
			}
			out.Write(text[s.low-1 : min(s.high, len(text))])
		}
	}
	out.WriteByte('\n')
}

func (k *cutter) fields(out *command.Output, text []byte) {
	spans, between := k.spans, ""
	more := true
	for number := 1; more && len(spans) > 0; number++ {
		var field []byte
		field, text, more = bytes.Cut(text, k.delimiter)
		if number >= spans[0].low {
			out.WriteString(between)
			out.Write(field)
			between = k.output
		}
		if number == spans[0].high {
			spans = spans[1:]
		}
	}
}

// A paster is a paste with its options.
type paster struct {
	delimiters []string
	c          *command.Call
	lines      command.Lines
}

func preparePaste(a command.Arguments) (_ command.Run, err error) {
	p := paster{delimiters: []string{"\t"}}
	if list, ok := a.Value("-d"); ok {
		p.delimiters, err = parseDelimiters(list)
	}
	return func(ctx context.Context, c *command.Call) int {
		p.c, p.lines = c, command.Lines{Account: c.Account, End: '\n'}
		if a.Has("-s") {
			return c.Each(ctx, a.Operands, command.Failures{}, p.serial)
		}
		names := a.OperandsOr("-")
		var inputs []*command.Input
		for _, name := range names {
			in := c.MustOpen(ctx, name, command.Failures{}, 1)
			defer in.Close()
			c.Account.Grab(64 << 10)
			inputs = append(inputs, in)
		}
		return p.parallel(inputs, names)
	}, err
}

func parseDelimiters(list string) (delimiters []string, err error) {
	if list == "" {
		return []string{""}, nil
	}
	for list != "" {
		if list == `\` {
			return nil, errors.New(`delimiter list ends with an unescaped backslash: \`)
		}
		delimiter := list[:1]
		if delimiter == `\` {
			list = list[1:]
			delimiter = list[:1]
			if i := strings.IndexByte("0bfnrtv", list[0]); i >= 0 {
				delimiter = []string{"", "\b", "\f", "\n", "\r", "\t", "\v"}[i]
			}
		}
		list = list[1:]
		delimiters = append(delimiters, delimiter)
	}
	return delimiters, nil
}

func (p *paster) delimiter(i int) string { return p.delimiters[i%len(p.delimiters)] }

// serial prints the lines of one file as one line.
func (p *paster) serial(in *command.Input, _ string) error {
	for i := 0; ; i++ {
		text, _, err := p.lines.Next(in)
		if err != nil {
			p.c.Out.WriteByte('\n')
			return err
		}
		if i > 0 {
			p.c.Out.WriteString(p.delimiter(i - 1))
		}
		p.c.Out.Write(text)
	}
}

// parallel prints lines of all files side by side, until all have ended.
func (p *paster) parallel(inputs []*command.Input, names []string) (status int) {
	ended := make([]bool, len(inputs))
	for {
		pending := "" // delimiters before the next text
		hasText := false
		for i, in := range inputs {
			if i > 0 {
				pending += p.delimiter(i - 1)
			}
			if ended[i] {
				continue
			}
			text, _, err := p.lines.Next(in)
			ended[i] = err != nil
			if err == nil || err != io.EOF && hasText {
				p.c.Out.WriteString(pending)
				p.c.Out.Write(text)
				pending, hasText = "", true
			}
			if err != nil && err != io.EOF {
				p.c.Failed("", names[i], err)
				status = 1
			}
		}
		if !hasText {
			return status
		}
		p.c.Out.WriteString(pending + "\n")
	}
}
