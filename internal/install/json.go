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

const space = " \t\r\n"

// parse parses JSON with comments, which must be an object.
func parse(text []byte) (*hujson.Value, error) {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("more than %d objects and arrays; change it by hand", maxBrackets)
	}
	root, err := hujson.Parse(append(bytes.Clone(text), '\n')) // It needs a line feed after a comment.
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	root.AfterExtra = root.AfterExtra[:len(root.AfterExtra)-1]
	return &root, nil
}

// member returns the object v and the index of its last member called name, or -1.
func member(v *hujson.Value, name string) (*hujson.Object, int, error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, 0, errors.New("not an object; change it by hand")
	}
	for i, m := range slices.Backward(o.Members) {
		if m.Name.Value.(hujson.Literal).String() == name {
			return o, i, nil
		}
	}
	return o, -1, nil
}

// add returns text with a value at path, and leaves everything else unchanged. A nil text is a
// missing file.
func add(text []byte, path []string, value []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return append(format(nest(path, value), "", "\n"), '\n'), nil
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	v := root
	for i, name := range path {
		o, at, err := member(v, name)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			appendMember(text, v.StartOffset, o, name, nest(path[i+1:], value))
			return root.Pack(), nil
		}
		v = &o.Members[at].Value
	}
	if old := minimal(*v); !bytes.Equal(old, value) {
		return nil, fmt.Errorf("%q is another server: %s; remove it first", path[len(path)-1], old)
	}
	return text, nil
}

// appendMember appends a member to o, which starts at an offset of text, on lines of its own.
func appendMember(text []byte, start int, o *hujson.Object, name string, value []byte) {
	line := text[bytes.LastIndexByte(text[:start], '\n')+1 : start]
	indent, end := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	if len(o.Members) > 0 {
		own := o.Members[len(o.Members)-1].Name.BeforeExtra
		if at := bytes.LastIndexByte(own, '\n'); at >= 0 && len(bytes.TrimSpace(own[at:])) == 0 {
			indent = strings.TrimSuffix(string(own[at+1:]), "  ")
		}
	}
	comments := bytes.TrimRight(o.AfterExtra, space)
	after := o.AfterExtra[len(comments):]
	if len(o.Members) == 0 && bytes.IndexByte(after, '\n') < 0 {
		after = []byte(end + indent)
	}
	added := hujson.ObjectMember{
		Name: hujson.Value{
			BeforeExtra: append(bytes.Clone(comments), end+indent+"  "...),
			Value:       hujson.String(name),
		},
		Value: hujson.Value{
			BeforeExtra: []byte(" "),
			Value:       hujson.Literal(format(value, indent+"  ", end)),
		},
	}
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil {
		added.Value.AfterExtra = []byte{} // a trailing comma
	}
	o.Members, o.AfterExtra = append(o.Members, added), after
}

// remove returns text without the value at path. If add makes text of another document, of nil for
// example, remove returns that, and otherwise it leaves everything but the value unchanged.
func remove(text []byte, path []string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	v := root
	for _, name := range path {
		o, at, err := member(v, name)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			return text, nil
		}
		v = &o.Members[at].Value
	}
	value := minimal(*v)
	candidates := [][]byte{nil}
	for n := range path {
		candidates = append(candidates, without(text, path[:n+1], false), without(text, path[:n+1], true))
	}
	for _, candidate := range candidates {
		if again, err := add(candidate, path, value); err == nil && bytes.Equal(again, text) {
			return candidate, nil
		}
	}
	return candidates[len(candidates)-1], nil
}

// without returns text without the member at path, which exists. If the
// object is empty then, keep determines whether it keeps the white space before its brace.
func without(text []byte, path []string, keep bool) []byte {
	root, _ := parse(text)
	v := root
	for i, name := range path {
		o, at, _ := member(v, name)
		if i < len(path)-1 {
			v = &o.Members[at].Value
			continue
		}
		removed := o.Members[at]
		o.Members = slices.Delete(o.Members, at, at+1)
		if at < len(o.Members) {
			continue
		}
		if at == 0 && !keep {
			o.AfterExtra = nil
		}
		comments := bytes.TrimRight(removed.Name.BeforeExtra, space)
		o.AfterExtra = append(bytes.Clone(comments), o.AfterExtra...)
		if at > 0 {
			before := &o.Members[at-1].Value
			if removed.Value.AfterExtra != nil { // a trailing comma
				before.AfterExtra = append([]byte{}, before.AfterExtra...)
			} else {
				o.AfterExtra = append(bytes.Clone(before.AfterExtra), o.AfterExtra...)
				before.AfterExtra = nil
			}
		}
	}
	return root.Pack()
}

// minimal returns v without comments and white space.
func minimal(v hujson.Value) []byte {
	v = v.Clone()
	v.Minimize()
	return v.Pack()
}

// nest returns value in an object for each name of path.
func nest(path []string, value []byte) []byte {
	for _, name := range slices.Backward(path) {
		value = fmt.Appendf(nil, "{%q:%s}", name, value)
	}
	return value
}

// format returns a document on several lines that follow indent.
func format(document []byte, indent, end string) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, document, indent, "  ") // It is valid.
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(end))
}
