package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// maxBrackets bounds the depth of a document, because the parser is recursive.
const maxBrackets = 20_000

// parse parses JSON with comments. It also returns the entry of gander in the object called key, or
// nil. It returns an error if there are two such objects or entries.
func parse(text []byte, key string) (root *hujson.Value, found []byte, err error) {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return nil, nil, fmt.Errorf("more than %d objects and arrays; change it by hand", maxBrackets)
	}
	document, err := hujson.Parse(append(bytes.Clone(text), '\n')) // A comment needs a line feed.
	if err != nil {
		return nil, nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	servers := document.Find("/" + key)
	if err := checkKey(&document, key); err != nil {
		return nil, nil, err
	}
	if err := checkKey(servers, "gander"); err != nil {
		return nil, nil, err
	}
	if entry := document.Find("/" + key + "/gander"); entry != nil {
		found, err = hujson.Minimize(entry.Pack())
	}
	return &document, found, err
}

// isSame reports whether an entry has the members of another, which gander would write.
func isSame(found, entry []byte) bool { return reflect.DeepEqual(members(found), members(entry)) }

// members returns the members of an entry. Anything but an object has none. The type "stdio" and an
// empty environment, which clients and their users add, do not count.
func members(entry []byte) map[string]any {
	var members map[string]any
	_ = json.Unmarshal(entry, &members)
	if members["type"] == "stdio" {
		delete(members, "type")
	}
	if env, ok := members["env"].(map[string]any); ok && len(env) == 0 {
		delete(members, "env")
	}
	return members
}

// commandLine returns the command line of an entry, or nil if the entry has keys that gander does
// not write.
func commandLine(entry map[string]any) (line []string) {
	for key := range entry {
		if !slices.Contains([]string{"command", "args", "type", "enabled"}, key) {
			return nil
		}
	}
	for _, key := range []string{"command", "args"} {
		switch value := entry[key].(type) {
		case string:
			line = append(line, value)
		case []any:
			for _, word := range value {
				line = append(line, fmt.Sprint(word))
			}
		}
	}
	return line
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

func otherServer(found []byte) error {
	return fmt.Errorf(`"gander" is another server: %s; remove it by hand,`+
		" or with the options that added it and --remove --write", found)
}

// add returns text with the entry in the object called key, and leaves everything else unchanged.
// A missing file has no text.
func add(text []byte, key string, entry []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, found, err := parse(text, key)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return insertEntry(text, key, entry)
	case isSame(found, entry):
		return text, nil
	case !isOwn(commandLine(members(found))):
		return nil, otherServer(found)
	}
	rest, err := cut(text, root, key, found)
	if err != nil {
		return nil, err
	}
	return insertEntry(rest, key, entry)
}

// insertEntry returns text, which has no entry, with one.
func insertEntry(text []byte, key string, entry []byte) ([]byte, error) {
	root, _, err := parse(text, key)
	if err != nil {
		return nil, err
	}
	if object := root.Find("/" + key); object != nil {
		return insert(text, object, "gander", entry)
	}
	return insert(text, root, key, fmt.Appendf(nil, `{"gander":%s}`, entry))
}

// insert returns text with a new first member of an object, with the indentation of the next one.
func insert(text []byte, object *hujson.Value, name string, value []byte) ([]byte, error) {
	o, ok := object.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("not an object; change it by hand")
	}
	at := object.StartOffset + 1
	line := text[bytes.LastIndexByte(text[:at], '\n')+1:]
	outer := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	inner, end := outer+"  ", ""
	if len(o.Members) > 0 {
		end = ","
		extra := string(o.Members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(extra, '\n'); i >= 0 && strings.TrimSpace(extra[i:]) == "" {
			inner = extra[i+1:]
		}
	} else if !bytes.Contains(o.AfterExtra, []byte("\n")) {
		end = "\n" + outer
	}
	var member bytes.Buffer
	fmt.Fprintf(&member, "\n%s%q: ", inner, name)
	_ = json.Indent(&member, value, inner, "  ") // It is valid.
	return slices.Concat(text[:at], member.Bytes(), []byte(end), text[at:]), nil
}

// remove returns text without the entry. It never returns an empty text.
func remove(text []byte, key string, entry []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	root, found, err := parse(text, key)
	switch {
	case err != nil || found == nil:
		return text, err
	case !isSame(found, entry):
		return nil, otherServer(found)
	default:
		return cut(text, root, key, entry)
	}
}

// cut returns text, whose value is root, without the entry that it has. If insertEntry would make
// text of another document, cut returns that document, so that adding an entry can be undone
// exactly.
func cut(text []byte, root *hujson.Value, key string, entry []byte) ([]byte, error) {
	for _, object := range []*hujson.Value{root, root.Find("/" + key)} {
		before := text[:object.StartOffset+1]
		after := text[object.Value.(*hujson.Object).Members[0].Value.EndOffset:]
		for _, after := range [][]byte{
			bytes.TrimLeft(after, " \t\n"),       // the object was empty, on one line
			bytes.TrimPrefix(after, []byte(",")), // other members follow
			after,                                // the object was empty, on several lines
		} {
			document := slices.Concat(before, after)
			again, err := insertEntry(document, key, entry)
			if err == nil && bytes.Equal(again, text) {
				return document, nil
			}
		}
	}
	err := root.Patch(fmt.Appendf(nil, `[{"op":"remove","path":"/%s/gander"}]`, key))
	return bytes.TrimSuffix(root.Pack(), []byte("\n")), err
}

// maxFileSize bounds the size of a client's file. The parser needs some hundred bytes for a value.
const maxFileSize = 1 << 20

// readFile reads a regular file of at most maxFileSize bytes. A missing file has no text.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxFileSize:
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes; change it by hand",
			path, maxFileSize)
	}
	return os.ReadFile(path)
}

// replace replaces a file, or the target of a symbolic link, atomically. It keeps mode and owner. A
// new file has the mode newMode.
func replace(path string, after []byte, newMode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSymlink {
		path, err = filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("%w; make the target of the link, or remove the link", err)
		}
	}
	mode := newMode
	info, err := os.Stat(path)
	if err == nil {
		mode = info.Mode().Perm()
	}
	if mode&0o200 == 0 {
		return fmt.Errorf("%s: read-only; make it writable first", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".gander-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // It fails after the file is renamed.
	_, err = f.Write(after)
	if info != nil {
		err = errors.Join(err, keepOwner(f, info))
	}
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("%s: cannot be replaced: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}
