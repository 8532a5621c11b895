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

// parse parses JSON with comments.
func parse(text []byte) (*hujson.Value, error) {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, fmt.Errorf("more than %d objects and arrays; change it by hand", maxBrackets)
	}
	root, err := hujson.Parse(append(bytes.Clone(text), '\n')) // A comment needs a line feed.
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	return &root, nil
}

// add returns text with the entry in the object called key, and leaves everything else unchanged.
// A nil text is a missing file.
func add(text []byte, key string, entry []byte) ([]byte, error) {
	servers := fmt.Appendf(nil, "{%q:%s}", entryName, entry)
	if len(bytes.TrimSpace(text)) == 0 {
		return append(format(fmt.Appendf(nil, "{%q:%s}", key, servers), ""), '\n'), nil
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if old := root.Find("/" + key + "/" + entryName); old != nil {
		if found := minimal(*old); !bytes.Equal(found, entry) {
			return nil, fmt.Errorf("%q is another server: %s; remove it first", entryName, found)
		}
		return text, nil
	}
	if object := root.Find("/" + key); object != nil {
		return insert(text, object, entryName, entry)
	}
	return insert(text, root, key, servers)
}

// insert returns text with a new first member of an object.
func insert(text []byte, object *hujson.Value, name string, value []byte) ([]byte, error) {
	o, ok := object.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("not an object; change it by hand")
	}
	at := object.StartOffset + 1
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	outer := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	inner, end := outer+"  ", ""
	switch {
	case len(o.Members) > 0:
		end = ","
		extra := o.Members[0].Name.BeforeExtra
		indent := extra[bytes.LastIndexByte(extra, '\n')+1:]
		if len(indent) < len(extra) && len(bytes.TrimSpace(indent)) == 0 {
			inner = string(indent)
		}
	case !bytes.Contains(o.AfterExtra, []byte("\n")):
		end = "\n" + outer
	}
	member := fmt.Appendf(nil, "\n%s%q: %s%s", inner, name, format(value, inner), end)
	return slices.Insert(bytes.Clone(text), at, member...), nil
}

// remove returns text without the entry. If add makes text of another document, of nil for
// example, remove returns that document.
func remove(text []byte, key string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	pointer := "/" + key + "/" + entryName
	old := root.Find(pointer)
	if old == nil {
		return text, nil
	}
	entry := minimal(*old)
	for _, before := range [][]byte{nil, cut(text, root), cut(text, root.Find("/"+key))} {
		if again, err := add(before, key, entry); err == nil && bytes.Equal(again, text) {
			return before, nil
		}
	}
	err = root.Patch(fmt.Appendf(nil, `[{"op":"remove","path":%q}]`, pointer))
	return bytes.TrimSuffix(root.Pack(), []byte("\n")), err
}

// cut returns text without the first member of an object.
func cut(text []byte, object *hujson.Value) []byte {
	members := object.Value.(*hujson.Object).Members
	m := members[0]
	before := bytes.TrimRight(text[:m.Name.StartOffset], " \t")
	outer := bytes.TrimSuffix(text[len(before):m.Name.StartOffset], []byte("  "))
	before = bytes.TrimSuffix(before, []byte("\n"))
	after := bytes.TrimPrefix(text[m.Value.EndOffset:], []byte(","))
	if end := "\n" + string(outer); len(members) == 1 && bytes.HasPrefix(after, []byte(end+"}")) {
		after = after[len(end):]
	}
	return slices.Concat(before, after)
}

// minimal returns v without comments and white space.
func minimal(v hujson.Value) []byte {
	v = v.Clone()
	v.Minimize()
	return v.Pack()
}

// format returns a document on several lines that follow indent.
func format(document []byte, indent string) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, document, indent, "  ") // It is valid.
	return b.Bytes()
}
