package text

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"regexp"
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

// spanForm matches a range, or one number.
var spanForm = regexp.MustCompile(`^([1-9][0-9]{0,8})?(-?)([1-9][0-9]{0,8})?$`)

func parseSpans(list string) ([]span, error) {
	var spans []span
	for text := range strings.SplitSeq(list, ",") {
		parts := spanForm.FindStringSubmatch(text)
		if parts == nil || parts[1]+parts[3] == "" || len(spans) == maxSpans {
			return nil, command.Refuse("cut %s: this list is not available here", list)
		}
		s := span{1, math.MaxInt}
		if parts[1] != "" {
			s.low, _ = strconv.Atoi(parts[1])
		}
		if parts[2] == "" {
			s.high = s.low
		}
		if parts[3] != "" {
			s.high, _ = strconv.Atoi(parts[3])
		}
		if s.high < s.low {
			return nil, command.UsageError("invalid decreasing range")
		}
		spans = append(spans, s)
	}
	return merge(spans), nil
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
