package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat is JSON with optional comments and trailing commas.
type jsonFormat struct{}

func (jsonFormat) decode(text []byte) (map[string]any, error) {
	if err := checkJSON(text); err != nil {
		return nil, err
	}
	standard, err := hujson.Standardize(withLineFeed(text))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	d := json.NewDecoder(bytes.NewReader(standard))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	document, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it holds no object")
	}
	return document, nil
}

// withLineFeed returns a copy of text that ends with a line feed, which the parser needs after a comment.
func withLineFeed(text []byte) []byte { return append(bytes.Clone(text), '\n') }

func (jsonFormat) edit(text []byte, path []string, fields []field) ([]byte, error) {
	d := jsonDocument{text: text, end: lineEnding(text), unit: "  "}
	if len(bytes.TrimSpace(text)) == 0 {
		return []byte(d.object("", nested(path, fields)) + "\n"), nil
	}
	root, err := hujson.Parse(withLineFeed(text))
	if err != nil {
		return nil, err
	}
	if o, ok := root.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		if indent, alone := d.indent(o.Members[0].Name.StartOffset); alone && indent != "" {
			d.unit = indent
		}
	}
	return apply(text, d.set(root, path, fields)), nil
}

func (jsonFormat) remove(text []byte, path []string) ([]byte, error) {
	v, err := hujson.Parse(withLineFeed(text))
	if err != nil {
		return nil, err
	}
	for len(path) > 1 {
		o, ok := v.Value.(*hujson.Object)
		inner := (*hujson.Value)(nil)
		if ok {
			inner = member(o, path[0])
		}
		if inner == nil {
			return nil, fmt.Errorf("there is no %s", path[0])
		}
		v, path = *inner, path[1:]
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("it holds no object")
	}
	i := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool {
		name, ok := m.Name.Value.(hujson.Literal)
		return ok && name.String() == path[0]
	})
	if i < 0 {
		return nil, fmt.Errorf("there is no %s", path[0])
	}
	return apply(text, removal(text, v, o, i)), nil
}

// removal returns the splices that remove a member of the object o, which is the value of v, together with its comma and its
// lines.
func removal(text []byte, v hujson.Value, o *hujson.Object, i int) []splice {
	last := len(o.Members) - 1
	m := o.Members[i]
	from, to := m.Name.StartOffset, m.Value.EndOffset
	var comma splice // the comma to remove
	switch {
	case i < last || m.Value.AfterExtra != nil:
		comma.from = to + len(m.Value.AfterExtra)
		comma.to = comma.from + 1
	case i > 0:
		before := o.Members[i-1].Value
		comma.from = before.EndOffset + len(before.AfterExtra)
		comma.to = comma.from + 1
	}
	if comma.from == to { // nothing stands between the member and its comma
		to, comma = comma.to, splice{from: to, to: to}
	}
	before := bytes.TrimRight(text[v.StartOffset+1:from], " \t")
	after := bytes.TrimLeft(text[to:v.EndOffset-1], " \t\r")
	switch {
	case last == 0 && len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0:
		from, to = v.StartOffset+1, v.EndOffset-1
	case bytes.HasSuffix(before, []byte("\n")) && bytes.HasPrefix(after, []byte("\n")):
		from, to = v.StartOffset+1+len(before), v.EndOffset-1-len(after)+1
	case i < last:
		to = v.EndOffset - 1 - len(after)
	default:
		from = v.StartOffset + 1 + len(before)
	}
	if comma.from >= from && comma.to <= to {
		return []splice{{from: from, to: to}}
	}
	return []splice{comma, {from: from, to: to}}
}

// nested returns the fields wrapped in a table for each key of path.
func nested(path []string, fields []field) []field {
	for len(path) > 0 {
		last := len(path) - 1
		fields, path = []field{{path[last], fields}}, path[:last]
	}
	return fields
}

// A jsonDocument is a text with its layout: what ends its lines, and what indents them by one level.
type jsonDocument struct {
	text      []byte
	end, unit string
}

// set returns the splices that set the fields in the object at path below v.
func (d jsonDocument) set(v hujson.Value, path []string, fields []field) []splice {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	if len(path) > 0 {
		if inner := member(o, path[0]); inner != nil {
			return d.set(*inner, path[1:], fields)
		}
		return d.insert(v, o, nested(path, fields))
	}
	var splices []splice
	var missing []field
	for _, f := range fields {
		if old := member(o, f.key); old == nil {
			missing = append(missing, f)
		} else {
			splices = append(splices, splice{old.StartOffset, old.EndOffset, encode(f.value)})
		}
	}
	if len(missing) > 0 {
		splices = append(splices, d.insert(v, o, missing)...)
	}
	return splices
}

func member(o *hujson.Object, key string) *hujson.Value {
	for i := range o.Members {
		if name, ok := o.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			return &o.Members[i].Value
		}
	}
	return nil
}

// insert returns the splices that append members to the object o, which is the value of v.
func (d jsonDocument) insert(v hujson.Value, o *hujson.Object, members []field) []splice {
	brace := v.EndOffset - 1
	if len(o.Members) == 0 {
		indent, _ := d.indent(v.StartOffset)
		at := v.StartOffset + 1 + len(bytes.TrimRight(d.text[v.StartOffset+1:brace], " \t\r\n"))
		return []splice{{at, brace, d.lines(indent+d.unit, members) + d.end + indent}}
	}
	last := o.Members[len(o.Members)-1].Value
	rest := d.text[last.EndOffset:brace]
	at := last.EndOffset + len(bytes.TrimRight(rest, " \t\r\n"))
	comma, trailing := ",", ""
	if last.AfterExtra != nil { // the last member has a trailing comma
		comma, trailing = "", ","
	}
	added := ""
	if bytes.Contains(d.text[v.StartOffset:brace], []byte("\n")) {
		indent, _ := d.indent(o.Members[0].Name.StartOffset)
		added = d.lines(indent, members)
	} else {
		object := encode(members)
		added = " " + object[1:len(object)-1]
	}
	return []splice{{last.EndOffset, last.EndOffset, comma}, {at, at, added + trailing}}
}

// lines writes each member on a new line that begins with indent.
func (d jsonDocument) lines(indent string, members []field) string {
	var b strings.Builder
	for i, f := range members {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(d.end + indent + encode(f.key) + ": ")
		if inner, ok := f.value.([]field); ok {
			b.WriteString(d.object(indent, inner))
		} else {
			b.WriteString(encode(f.value))
		}
	}
	return b.String()
}

// object writes an object on several lines, the last of which begins with indent.
func (d jsonDocument) object(indent string, members []field) string {
	return "{" + d.lines(indent+d.unit, members) + d.end + indent + "}"
}

// indent returns the white space that begins the line of the offset. It reports whether that is all that precedes the
// offset in a line other than the first.
func (d jsonDocument) indent(offset int) (space string, alone bool) {
	start := bytes.LastIndexByte(d.text[:offset], '\n') + 1
	line := d.text[start:offset]
	space = string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	return space, len(space) == len(line) && start > 0
}
