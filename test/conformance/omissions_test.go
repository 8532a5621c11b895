package conformance

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// minOnWindows is the minimum number of vectors that run on Windows.
const minOnWindows = 750

// onWindows reports whether vectors are left out that cannot hold on Windows.
const onWindows = runtime.GOOS == "windows"

// windowsOmissions lists vectors that cannot hold on Windows. A reason, after "# ", precedes the
// names. Vectors that mention an entry that Windows lacks are left out without being listed.
//
//go:embed testdata/windows.txt
var windowsOmissions string

// An omitter determines which vectors are left out on Windows.
type omitter map[string]string // listed reasons by tool and name

func newOmitter() omitter {
	o, reason := omitter{}, ""
	for line := range strings.Lines(windowsOmissions) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			reason = heading
		} else if line != "" {
			o[line] = reason
		}
	}
	return o
}

// reason returns why v is left out on Windows, or "".
func (o omitter) reason(t testing.TB, v vector, items []fixture.Item) string {
	if v.NeedsUnprivileged {
		return "permissions of Unix"
	}
	_, missing := windowsItems(items)
	for _, name := range missing {
		if v.mentions(t, name) {
			return "an entry that Windows lacks: " + name
		}
	}
	return o[v.Tool+"/"+v.Name]
}

// mentions reports whether the arguments or the outcome of v contain a name as a word.
func (v vector) mentions(t testing.TB, name string) bool {
	quoted, err := json.Marshal(name)
	testkit.Must(t, err)
	var forms []string
	for _, form := range []string{name, fixture.Lossy(name), string(quoted[1 : len(quoted)-1])} {
		forms = append(forms, regexp.QuoteMeta(strings.ToValidUTF8(form, "\ufffd")))
	}
	word := regexp.MustCompile(`(?:^|\W)(?:` + strings.Join(forms, "|") + `)(?:$|\W)`)
	return slices.ContainsFunc(v.texts(t), word.MatchString)
}

// texts returns the strings in the arguments and the outcome of v.
func (v vector) texts(t testing.TB) (list []string) {
	for _, s := range []*string{
		v.Expect.Content, v.Expect.Display, v.Expect.Message, v.Expect.MessageContains,
	} {
		list = append(list, *cmp.Or(s, new("")))
	}
	for _, raw := range []json.RawMessage{
		v.Args, v.Expect.JSON, v.Expect.ContentBlocks, v.Expect.Structured,
	} {
		if len(raw) > 0 {
			var value any
			testkit.Must(t, json.Unmarshal(raw, &value))
			list = appendStrings(list, value)
		}
	}
	return list
}

// appendStrings appends the strings in a JSON value.
func appendStrings(list []string, value any) []string {
	switch value := value.(type) {
	case string:
		return append(list, value)
	case []any:
		for _, element := range value {
			list = appendStrings(list, element)
		}
	case map[string]any:
		for _, element := range value {
			list = appendStrings(list, element)
		}
	}
	return list
}

// windowsItems returns the items that every Windows has, and the base names of the others. Symlinks
// are among the others, because they need a privilege.
func windowsItems(items []fixture.Item) (made []fixture.Item, missing []string) {
	known := map[string]string{} // names of made items and their parents, by lower case
	for _, i := range items {
		name := cmp.Or(string(i.PathB64), i.Path)
		switch {
		case i.Type == "touch":
			if known[strings.ToLower(name)] == name {
				made = append(made, i)
			}
		case windowsHas(i, name) && !collides(known, name):
			made = append(made, i)
			for ; name != "."; name = path.Dir(name) {
				known[strings.ToLower(name)] = name
			}
		default:
			missing = append(missing, path.Base(name))
		}
	}
	return made, missing
}

// windowsHas reports whether every Windows has such an item.
func windowsHas(i fixture.Item, name string) bool {
	devices := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\.|$)`)
	if i.Type != "file" && i.Type != "dir" || i.Mode != "" || !utf8.ValidString(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		control := strings.ContainsFunc(part, func(r rune) bool { return r < ' ' })
		reserved := strings.ContainsAny(part, `<>:"\|?*`) || devices.MatchString(part)
		if control || reserved || strings.TrimRight(part, ". ") != part {
			return false
		}
	}
	return true
}

// collides reports whether name or a parent differs from a known name only in case.
func collides(known map[string]string, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if cmp.Or(known[strings.ToLower(name)], name) != name {
			return true
		}
	}
	return false
}

// checkEnough fails the test if fewer vectors ran than the minimum, unless -test.run selected some.
func checkEnough(t *testing.T, ran map[string]int) {
	t.Helper()
	sum := 0
	for _, n := range ran {
		sum += n
	}
	all := !strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	if all && sum < minOnWindows {
		t.Errorf("ran %d vectors, want at least %d", sum, minOnWindows)
	}
}

// slashedOutcome returns an outcome with slashes in the paths below root.
func slashedOutcome(result tool.Result, err error, root string) (tool.Result, error) {
	parts := result.Parts
	result.Parts = nil
	for _, p := range parts {
		p.Text = slashed(p.Text, root)
		result.Parts = append(result.Parts, p)
	}
	result.Display = slashed(result.Display, root)
	if failure, ok := errors.AsType[*tool.Error](err); ok {
		copied := *failure
		copied.Message = slashed(failure.Message, root)
		copied.Display = slashed(failure.Display, root)
		err = &copied
	}
	return result, err
}

// slashed returns text with slashes in the paths below root, which may be quoted as in JSON.
func slashed(text, root string) string {
	for _, separator := range []string{`\\`, `\`} {
		quoted := regexp.QuoteMeta(strings.ReplaceAll(root, `\`, separator))
		paths := regexp.MustCompile(quoted + "[^\\s\"'`]*")
		text = paths.ReplaceAllStringFunc(text, func(found string) string {
			return strings.ReplaceAll(found, separator, "/")
		})
	}
	return text
}

func TestSlashed(t *testing.T) {
	const root = `C:\a b\001`
	for text, want := range map[string]string{
		`C:\a b\001`:              `C:/a b/001`,
		"C:\\a b\\001\\d\\e\n\\x": "C:/a b/001/d/e\n\\x",
		`{"p":"C:\\a b\\001\\d"}`: `{"p":"C:/a b/001/d"}`,
		`C:\b\001\d`:              `C:\b\001\d`,
	} {
		if got := slashed(text, root); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestWindowsOmissions checks that the list names vectors that would run otherwise, and that enough
// vectors are left.
func TestWindowsOmissions(t *testing.T) {
	unused, o, left := newOmitter(), newOmitter(), 0
	for _, f := range allVectors(t) {
		for _, text := range f.Cases {
			v := f.parse(t, text, "")
			name := v.Tool + "/" + v.Name
			if reason := o.reason(t, v, f.Fixtures[v.Fixture]); reason == "" {
				left++
			} else if reason == o[name] {
				delete(unused, name)
			}
		}
	}
	for name, reason := range unused {
		t.Errorf("%s: %s: there is no such vector, or it is left out anyway", reason, name)
	}
	if left < minOnWindows {
		t.Errorf("got %d vectors on Windows, want at least %d", left, minOnWindows)
	}
}
