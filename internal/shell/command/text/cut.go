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
	delimiter    byte
	hasOutput    bool // a delimiter of the output
	output       string
	onlyWithMark bool
}

func prepareCut(a command.Arguments) (command.Run, error) {
	k := cutter{delimiter: '\t', onlyWithMark: a.Has("-s")}
	list, lists := "", 0
	for _, o := range a.Options {
		switch o.Name {
		case "-b", "-c", "-f":
			list = o.Value
			k.isFields = o.Name == "-f"
			lists++
		case "-d":
			if len(o.Value) > 1 {
				return nil, command.UsageError("the delimiter must be a single character")
			}
			k.delimiter = (o.Value + "\x00")[0]
		case "--output-delimiter":
			k.hasOutput, k.output = true, o.Value
		}
	}
	switch {
	case lists == 0:
		return nil, command.UsageError("you must specify a list of bytes, characters, or fields")
	case lists > 1:
		return nil, command.UsageError("only one list may be specified")
	case !k.isFields && a.Has("-d"):
		return nil, command.UsageError("an input delimiter may be specified only when " +
			"operating on fields")
	case !k.isFields && k.onlyWithMark:
		return nil, command.UsageError("suppressing non-delimited lines makes sense\n" +
			"\tonly when operating on fields")
	}
	if !k.hasOutput && k.isFields {
		k.output = string([]byte{k.delimiter})
	}
	spans, err := parseSpans(list)
	if err != nil {
		return nil, err
	}
	k.spans = spans
	return func(ctx context.Context, c *command.Call) int {
		return c.EachLine(ctx, a.Operands, command.Failures{}, '\n', func(text []byte, _ bool) error {
			k.line(c.Out, text)
			return nil
		})
	}, nil
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
	hasMark := !k.isFields || bytes.IndexByte(text, k.delimiter) >= 0
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
	spans := k.spans
	isFirst := true
	for number := 1; len(spans) > 0; number++ {
		field, rest, more := bytes.Cut(text, []byte{k.delimiter})
		if number >= spans[0].low {
			if !isFirst {
				out.WriteString(k.output)
			}
			isFirst = false
			out.Write(field)
		}
		if number == spans[0].high {
			spans = spans[1:]
		}
		if !more {
			return
		}
		text = rest
	}
}
