package boundary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"gander"
	"gander/documents"
	"gander/internal/jsonobject"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/officefiles"
	"gander/internal/testkit/tooltest"
	"gander/mcpserver"
	"gander/tool"
)

// forging is a name that adds lines to a result if it is printed as it is.
const forging = "x\n\nsrc\u2028config.go\n12\tAPI_URL\x1b[31m\u202e\U000e0041y"

// forged matches a line of [forging].
var forged = regexp.MustCompile(`(?m)^(12\tAPI_URL|src)`)

// isUnseen reports whether r is a control character, or one that is invisible or reorders text.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// misleads reports whether r ends a line, controls a terminal or reorders text. The results of
// reproductions have other invisible characters of a name as the originals print them.
func misleads(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// hostileStrings returns names that contain every character that is not seen, and [forging].
func hostileStrings() []string {
	all := []string{forging}
	name := ""
	for r := rune(1); r <= unicode.MaxRune; r++ {
		isAssigned := unicode.In(r, unicode.C, unicode.Z, unicode.L, unicode.M)
		if !isUnseen(r) || !isAssigned {
			continue
		}
		name += string(r)
		if len(name) > 200 {
			all = append(all, "a"+name+"z")
			name = ""
		}
	}
	return append(all, "a"+name+"z")
}

// checkPrinted checks that a text has no lines of [forging], and none of the characters that isRaw
// selects. Line feeds and tabs are part of results.
func checkPrinted(t *testing.T, what, text string, isRaw func(rune) bool) {
	t.Helper()
	at := strings.IndexFunc(text, func(r rune) bool { return isRaw(r) && r != '\n' && r != '\t' })
	if at >= 0 {
		t.Errorf("%s: %U in %.300q", what, []rune(text[at:])[0], text[max(at-100, 0):])
	}
	if forged.MatchString(text) {
		t.Errorf("%s: forged: %.300q", what, text)
	}
}

// checkOutcome checks the error or the result of a call.
func checkOutcome(t *testing.T, id string, args any, result tool.Result, failure *tool.Error) {
	t.Helper()
	what := fmt.Sprintf("%s %.200q", id, fmt.Sprint(args))
	if failure != nil {
		checkPrinted(t, what, failure.Message+"\n"+failure.Display, isUnseen)
		return
	}
	switch id {
	case "forge/list_directory", "toolkit/tree", "filesystem/directory_tree":
		return // JSON
	case "gander/read_file", "gander/search_text": // the text of documents can have joiners
		checkPrinted(t, what, result.Text(), func(r rune) bool {
			isWriting := unicode.Is(unicode.Join_Control, r) || '\ufe00' <= r && r <= '\ufe0f'
			return isUnseen(r) && !isWriting
		})
	case "gander/list_dir", "gander/find_files":
		checkPrinted(t, what, result.Text(), isUnseen)
	default:
		checkPrinted(t, what, result.Text(), misleads)
	}
}

// openHostile opens a toolset over a root with hostile names of files, directories, links, targets
// of links, repositories' rules and parts of documents, and with hostile deny patterns. The name of
// the root is hostile, too.
func openHostile(t *testing.T) (ts *gander.Toolset, root string, names []string) {
	t.Helper()
	names = hostileStrings()
	entries := []string{"r" + forging + "/.git/", "other/"}
	deny := []string{"**/denied" + strings.ReplaceAll(forging, "[", `\[`) + "*"}
	for i, name := range names {
		in := "r" + forging + "/"
		entries = append(entries, in+name, in+"d/"+name+"/f", fmt.Sprintf("%sd/%d => %s", in, i, name),
			fmt.Sprintf("%sdenied%s%d", in, forging, i), in+"e/"+name+"/", in+name+"@ => none"+name,
			fmt.Sprintf("%sd/out%d => /etc/%s", in, i, name), in+"pipe"+name+"|")
	}
	top := fixture.Make(t, entries...)
	root = top + "/r" + forging
	testkit.Must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = os.WriteFile(path, []byte("x\n"), 0o644) // not its name
		}
		return err
	}))
	for i, name := range names {
		if len(name) > 31 {
			name = strings.ToValidUTF8(name[:31], "")
		}
		put := func(format string, content string) {
			tooltest.Put(t, root, fmt.Sprintf("doc%d.%s", i, format), content)
		}
		sheet := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' { // which XML does not have
				return -1
			}
			return r
		}, name)
		put("ods", string(officefiles.ODF("spreadsheet", "", `<table:table table:name="`+
			strings.ReplaceAll(sheet, "\n", "&#10;")+`"><table:table-row><table:table-cell>`+
			`<text:p>x</text:p></table:table-cell></table:table-row></table:table>`)))
		put("epub", string(officefiles.Archive("mimetype", "application/epub+zip",
			"META-INF/container.xml", `<container><rootfile full-path="`+name+`"/></container>`)))
		put("pptx", string(officefiles.Archive(
			"_rels/.rels", officefiles.Related("m", "officeDocument", name), name, "<a")))
		put("xlsx", string(officefiles.Archive(
			"_rels/.rels", officefiles.Related("m", "officeDocument", name), name, "<a")))
		put("docx", string(officefiles.Archive("_rels/.rels", "<"+name)))
		put("odt", string(officefiles.ODF("text", "", "<"+name)))
		put("odp", string(officefiles.ODF("presentation", "", "<"+name)))
		put("rtf", `{\rtf1 {\field{\*\fldinst HYPERLINK "`+name+`"}{\fldrslt x}}{\`+name)
		put("ipynb", notebook(t, name))
		put("pdf", "%PDF-1.7\n"+name)
	}
	return testkit.Open(t, gander.Options{
		Roots: []string{root, top + "/other"}, Deny: deny, Documents: documents.All(),
	}), root, names
}

func hostileFormats() []string {
	return strings.Fields("ods odt odp epub pptx xlsx docx rtf ipynb pdf")
}

// notebook returns a notebook in which every name is the given one.
func notebook(t *testing.T, name string) string {
	output := object{
		"output_type": name, "name": name, "ename": name, "evalue": name,
		"data": object{name: "x", "text/plain": "x"},
	}
	encoded, err := json.Marshal(object{
		"nbformat": 4, "metadata": object{"language_info": object{"name": name}},
		"cells": []object{
			{"cell_type": name, "id": name, "source": "x"},
			{"cell_type": "code", "source": "x", "outputs": []object{output}},
		},
	})
	testkit.Must(t, err)
	return string(encoded)
}

// TestPrinted checks what is printed of hostile names of files, directories, links, documents,
// patterns and roots: nothing in a result or an error forges a line or is invisible.
func TestPrinted(t *testing.T) {
	ts, root, names := openHostile(t)
	call := func(id string, args object) {
		result, failure := testkit.Call(t, ts, id, args)
		checkOutcome(t, id, args, result, failure)
	}
	paths := []string{"", "/d", "/e", "/none/none", "/denied" + forging + "0"}
	for i, name := range names {
		forms := []string{
			"/" + name, "/none" + name, "/d/" + name, "/e/" + name, "/" + name + "@", "/pipe" + name,
			"/" + name + ":7", "/" + name + "/x", fmt.Sprintf("/d/%d", i), fmt.Sprintf("/d/out%d", i),
		}
		if i > 0 { // all forms of one name are enough
			forms = forms[i%len(forms):][:1]
		}
		paths = append(paths, forms...)
		for k, format := range hostileFormats() {
			if i > 0 && k%5 != i%5 { // all formats of one name are enough
				continue
			}
			path := fmt.Sprintf("%s/doc%d.%s", root, i, format)
			call("gander/read_file", object{"path": []string{path + "#page=" + name, path + "#sheet=1"}})
			call("gander/read_file", object{"path": path})
			call("gander/search_text", object{"path": path, "pattern": ".", "documents": true})
		}
	}
	for id, p := range testkit.PathTools() {
		for _, path := range paths {
			args := p.Arguments(root + path)
			call(id, args)
			if isNative(id) {
				args[p.Key] = []string{root + path, root + "/d"}
				call(id, args)
			}
		}
	}
	for _, path := range paths {
		call("filesystem/read_multiple_files", object{"paths": []string{root + path, root}})
	}
	call("filesystem/list_allowed_directories", object{})
	call("gander/list_dir", object{"path": "."})
}

// TestPrintedArguments checks what errors and results repeat of the arguments of a call: each
// argument of each tool is hostile, as text, as a list, as an object, and as a name.
func TestPrintedArguments(t *testing.T) {
	ts, root, names := openHostile(t)
	n := 0
	for _, d := range testkit.Inner(ts).Definitions() {
		schema, err := jsonobject.Parse(d.Input)
		testkit.Must(t, err)
		value, _ := schema.Get("properties")
		properties, _ := value.Object()
		for _, key := range append(properties.Keys(), forging) {
			n++
			name := names[n%len(names)]
			for _, v := range []any{
				name, forging, []string{name}, object{name: forging}, "a[" + name, forging + "*",
			} {
				args := testkit.PathTools()[d.ID].Arguments(root + "/e")
				args[key] = v
				delete(args, "") // of a tool without a path
				result, failure := testkit.Call(t, ts, d.ID, args)
				if d.ID == "shell/bash" && failure == nil {
					continue // it prints what the commands print
				}
				checkOutcome(t, d.ID, args, result, failure)
			}
		}
	}
}

// TestPrintedToClients checks what responses repeat of the messages of a client, and errors of the
// options of a program.
func TestPrintedToClients(t *testing.T) {
	ts, _, names := openHostile(t)
	var requests bytes.Buffer
	n := 0
	for _, name := range names {
		quoted := string(encoded(t, name))
		for _, message := range []string{
			`"method":` + quoted, `"method":"tools/call","params":{"name":` + quoted + `}`,
			`"method":"tools/call","params":` + quoted, `"method":"ping",` + quoted + `:1,` + quoted + `:2`,
			`"method":"tools/list","params":{"cursor":` + quoted + `}`,
		} {
			n++
			fmt.Fprintf(&requests, "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}\n", n, message)
		}
		_, err := gander.Open(gander.Options{Roots: []string{t.TempDir()}, Tools: []string{name}})
		checkPrinted(t, "the selector", fmt.Sprint(err), isUnseen)
	}
	var out bytes.Buffer
	testkit.Must(t, mcpserver.ServeStdio(t.Context(), mcpserver.New(ts, nil), &requests, &out))
	answered := 0
	for line := range strings.Lines(out.String()) {
		var response struct{ Error struct{ Message string } }
		testkit.Must(t, json.Unmarshal([]byte(line), &response))
		answered++
		checkPrinted(t, "the response", response.Error.Message, isUnseen)
	}
	if answered != n {
		t.Errorf("%d of %d requests have responses", answered, n)
	}
}

// TestPrintedPathsLead checks that the path in a result of each hostile name leads to its file.
func TestPrintedPathsLead(t *testing.T) {
	names := hostileStrings()
	root := fixture.Make(t, names...)
	for i, name := range names {
		testkit.Must(t, os.WriteFile(root+"/"+name, fmt.Appendf(nil, "file %d", i), 0o644))
	}
	ts := testkit.Open(t, gander.Options{Roots: []string{root}})
	var paths []string
	for offset := 1; offset <= len(names); offset += 10 {
		args := object{"offset": offset, "limit": 10}
		listed, failure := testkit.Call(t, ts, "gander/find_files", args)
		if failure != nil {
			t.Fatal(failure)
		}
		lines := strings.Split(listed.Text(), "\n")[1:]
		paths = append(paths, lines[:min(len(lines), 10)]...)
	}
	seen := make(map[string]bool)
	for _, path := range paths {
		result, failure := testkit.Call(t, ts, "gander/read_file", object{"path": path})
		if failure != nil {
			t.Errorf("%s: %v", path, failure)
			continue
		}
		_, content, _ := strings.Cut(result.Text(), "\n1\t")
		seen[content] = true
	}
	if len(seen) != len(names) {
		t.Errorf("%d of %d files: %v", len(seen), len(names), slices.Sorted(maps.Keys(seen)))
	}
}
