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

// maxBrackets bounds the depth of a document, because the parser is recursive.
const maxBrackets = 20_000

// A jsonFormat is JSON with comments. What it does not change keeps every byte.
type jsonFormat struct{}

func pointer(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

// parse parses a document, and checks that no object on the way to keys has two members of a name.
func (jsonFormat) parse(text []byte, keys []string) (*hujson.Value, error) {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("more than %d brackets, also those in texts; change it by hand",
			maxBrackets)
	}
	document, err := hujson.Parse(append(bytes.Clone(text), '\n')) // A comment needs a line feed.
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	for i, key := range keys {
		if err := checkKey(document.Find(pointer(keys[:i]...)), key); err != nil {
			return nil, err
		}
	}
	return &document, nil
}

// checkKey returns an error if an object has two members of a name. Some readers keep the first of
// them and some the last, so they would disagree about a change.
func checkKey(value *hujson.Value, name string) error {
	if value == nil {
		return nil
	}
	object, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	count := 0
	for _, m := range object.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); ok && literal.String() == name {
			count++
		}
	}
	if count > 1 {
		return fmt.Errorf("two keys %q; remove one of them by hand", name)
	}
	return nil
}

func (f jsonFormat) get(text []byte, keys []string) (value any, err error) {
	root, err := f.parse(text, keys)
	if err != nil {
		return nil, err
	}
	found := root.Find(pointer(keys...))
	if found == nil {
		return nil, nil
	}
	minimal, err := hujson.Minimize(found.Pack())
	if err != nil {
		return nil, err
	}
	return value, json.Unmarshal(minimal, &value)
}

// set replaces a value, or adds it as the first member, with the missing objects on the way.
func (f jsonFormat) set(text []byte, keys []string, value any) ([]byte, error) {
	root, err := f.parse(text, keys)
	if err != nil {
		return nil, err
	}
	if old := root.Find(pointer(keys...)); old != nil {
		line := text[bytes.LastIndexByte(text[:old.StartOffset], '\n')+1:]
		value := indent(encode(value), leading(line), step(text))
		return slices.Concat(text[:old.StartOffset], value, text[old.EndOffset:]), nil
	}
	known := len(keys) - 1
	for root.Find(pointer(keys[:known]...)) == nil {
		known--
	}
	for i := len(keys) - 1; i > known; i-- {
		value = map[string]any{keys[i]: value}
	}
	return insert(text, root.Find(pointer(keys[:known]...)), keys[known], encode(value))
}

// encode returns a value that JSON or TOML can have as JSON.
func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return bytes.TrimSpace(b.Bytes())
}

func indent(value []byte, prefix, step string) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, value, prefix, step) // It is valid.
	return b.Bytes()
}

func step(text []byte) string {
	if bytes.Contains(text, []byte("\n\t")) {
		return "\t"
	}
	return "  "
}

func leading(text []byte) string {
	return string(text[:len(text)-len(bytes.TrimLeft(text, " \t"))])
}

// insert returns text with a new first member of an object, with the indentation of the next one.
func insert(text []byte, object *hujson.Value, name string, value []byte) ([]byte, error) {
	o, ok := object.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("not an object; change it by hand")
	}
	at := object.StartOffset + 1
	outer := leading(text[bytes.LastIndexByte(text[:at], '\n')+1:])
	inner, end := outer+step(text), ""
	if len(o.Members) > 0 {
		end = ","
		extra := string(o.Members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(extra, '\n'); i >= 0 && strings.TrimSpace(extra[i:]) == "" {
			inner = extra[i+1:]
		}
	} else if !bytes.Contains(o.AfterExtra, []byte("\n")) {
		end = "\n" + outer
	}
	member := fmt.Appendf(nil, "\n%s%s: %s%s",
		inner, encode(name), indent(value, inner, step(text)), end)
	return slices.Concat(text[:at], member, text[at:]), nil
}

// remove removes a value, and the objects around it that have nothing else. If it is the first
// member, as set adds it, the text becomes what it was before.
func (f jsonFormat) remove(text []byte, keys []string) ([]byte, error) {
	root, err := f.parse(text, keys)
	if err != nil || root.Find(pointer(keys...)) == nil {
		return text, err
	}
	value, err := f.get(text, keys)
	if err != nil {
		return nil, err
	}
	for i := range keys {
		if document, ok := f.undo(text, root, keys, i, value); ok {
			return document, nil
		}
	}
	patch := encode([]any{map[string]string{"op": "remove", "path": pointer(keys...)}})
	if err := root.Patch(patch); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(root.Pack(), []byte("\n")), nil
}

// undo returns the document from before set, if set at keys[:i] would turn it into exactly this
// text.
func (f jsonFormat) undo(
	text []byte, root *hujson.Value, keys []string, i int, value any,
) (document []byte, ok bool) {
	object := root.Find(pointer(keys[:i]...))
	o, isObject := object.Value.(*hujson.Object)
	if !isObject || len(o.Members) == 0 {
		return nil, false
	}
	before := text[:object.StartOffset+1]
	rest := text[o.Members[0].Value.EndOffset:]
	for _, after := range [][]byte{
		bytes.TrimLeft(rest, " \t\n"),       // the object was empty, on one line
		bytes.TrimPrefix(rest, []byte(",")), // other members follow
		rest,                                // the object was empty, on several lines
	} {
		document := slices.Concat(before, after)
		found, err := f.get(document, keys)
		if err != nil || found != nil {
			continue
		}
		again, err := f.set(document, keys, value)
		if err == nil && bytes.Equal(again, text) {
			return document, true
		}
	}
	return nil, false
}
