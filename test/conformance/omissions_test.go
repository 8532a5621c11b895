package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// minOnWindows is the minimum number of vectors that run on Windows.
const minOnWindows = 750

// onWindows reports whether vectors are left out that cannot hold on Windows.
const onWindows = runtime.GOOS == "windows"

// An omitter determines which vectors are left out on Windows. It maps those listed, by tool and
// name, to reasons.
type omitter map[string]string

func newOmitter(t testing.TB) omitter {
	o := omitter{}
	for reason, names := range tooltest.Rows(t, "windows.txt") {
		for name := range strings.SplitSeq(names, "\n") {
			o[name] = reason
		}
	}
	return o
}

// reason returns why v is left out on Windows, or "".
func (o omitter) reason(t testing.TB, v vector, text []byte, items []fixture.Item) string {
	if v.NeedsUnprivileged {
		return "permissions of Unix"
	}
	var call struct{ Args, Expect any }
	testkit.Must(t, json.Unmarshal(text, &call))
	_, missing := windowsItems(items)
	for _, name := range missing {
		quoted, err := json.Marshal(name)
		testkit.Must(t, err)
		var forms []string
		for _, form := range []string{name, fixture.Lossy(name), string(quoted[1 : len(quoted)-1])} {
			forms = append(forms, regexp.QuoteMeta(strings.ToValidUTF8(form, "\ufffd")))
		}
		word := regexp.MustCompile(`(?:^|\W)(?:` + strings.Join(forms, "|") + `)(?:$|\W)`)
		if word.MatchString(fmt.Sprint(call)) {
			return "an entry that Windows lacks: " + name
		}
	}
	return o[v.Tool+"/"+v.Name]
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

// TestWindowsOmissions checks that the list names vectors that would run otherwise, and that enough
// vectors are left.
func TestWindowsOmissions(t *testing.T) {
	unused, o, left := newOmitter(t), newOmitter(t), 0
	for _, f := range allVectors(t) {
		for _, text := range f.Cases {
			v := f.parse(t, text, "")
			name := v.Tool + "/" + v.Name
			if reason := o.reason(t, v, text, f.Fixtures[v.Fixture]); reason == "" {
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
