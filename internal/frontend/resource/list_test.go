package resource

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gander"
	"gander/tool"
)

func TestList(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}})
	if runtime.GOOS == "linux" {
		if err := os.WriteFile(filepath.Join(root, "bad\xff"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := f.List(t.Context(), URI(root), "")
	if err != nil || page.Next != "" {
		t.Fatalf("%+v, %v", page, err)
	}
	var got []string
	for _, e := range page.Entries {
		size := "-"
		if e.Size != nil {
			size = fmt.Sprint(*e.Size)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(e.URI, URI(root)+"/"), e.Name, e.MIME, size))
	}
	want := []string{
		".hidden .hidden  0", "README.md README.md  8", "a%20b%25.txt a b%.txt  8", "dangling dangling  -", "empty empty  0", "id_rsa id_rsa  3",
		"in in inode/directory -", "latin1.txt latin1.txt  4", "leak leak  -", "nul nul  3", "out out  -", "pixel.png pixel.png  16", "sub sub inode/directory -", "utf16.txt utf16.txt  4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	for path, kind := range map[string]tool.Kind{"/README.md": tool.NotDirectory, "/none": tool.NotFound, "/out": tool.Outside, "/../secrets": tool.BadArguments} {
		if _, err := f.List(t.Context(), URI(root)+path, ""); kindOf(err) != kind {
			t.Errorf("%s: %v, want %s", path, err, kind)
		}
	}
}

// TestPages checks that pages fit the budget, and that entries which come or go between two pages move no others.
func TestPages(t *testing.T) {
	root := t.TempDir()
	name := func(i int) string { return filepath.Join(root, fmt.Sprintf("%04d", i)) }
	for i := range 1200 {
		if err := os.WriteFile(name(i), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := func(f *Files, between func()) (names []string, pages int) {
		t.Helper()
		for cursor := ""; ; {
			page, err := f.List(t.Context(), URI(root), cursor)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Entries {
				names = append(names, e.Name)
			}
			if pages++; page.Next == "" {
				return names, pages
			}
			cursor = page.Next
			between()
		}
	}
	f := open(t, gander.Options{Roots: []string{root}})
	names, pages := all(f, func() {})
	if len(names) != 1200 || pages != 3 || !slices.IsSorted(names) {
		t.Errorf("%d names on %d pages", len(names), pages)
	}
	small := open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxOutputBytes: 4000}})
	if again, pages := all(small, func() {}); !slices.Equal(names, again) || pages < 10 {
		t.Errorf("%d names on %d pages", len(again), pages)
	}
	if names, _ = all(f, func() { os.Remove(name(499)); os.Remove(name(0)); os.WriteFile(name(4990), nil, 0o644) }); len(names) != 1201 {
		t.Errorf("%d names", len(names))
	}
	none := open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxOutputBytes: 100}})
	if _, err := none.List(t.Context(), URI(root), ""); kindOf(err) != tool.Failed {
		t.Errorf("no entry fits: %v", err)
	}
}

// TestCursor checks that a cursor chooses where a page starts and that anything else is refused.
func TestCursor(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}})
	for dir, want := range map[string]string{"": "latin1.txt", "/sub": "y"} {
		page, err := f.List(t.Context(), URI(root)+dir, encodeCursor("in"))
		if err != nil || len(page.Entries) == 0 || page.Entries[0].Name != want {
			t.Errorf("%s: %+v, %v; want %s first", dir, page, err, want)
		}
	}
	long := strings.Repeat("x", maxName)
	if name, err := decodeCursor(encodeCursor(long)); err != nil || name != long {
		t.Errorf("a name of %d bytes: %q, %v", maxName, name, err)
	}
	for _, cursor := range []string{
		"?", "A", "AA==", "Zh", "\rZg", "Z\ng", // not what the encoder writes: "Zg" is "f"
		encodeCursor("."), encodeCursor(".."), encodeCursor("../secrets"), encodeCursor("sub/dir"), encodeCursor("/"), encodeCursor("a\x00"), encodeCursor("\xff"),
		encodeCursor(long + "x"), strings.Repeat("A", 1<<20),
	} {
		_, err := f.List(t.Context(), URI(root), cursor)
		if kindOf(err) != tool.BadArguments || !strings.Contains(err.Error(), "not a cursor of this server") {
			t.Errorf("%.100q: %v", cursor, err)
		}
	}
}

// FuzzCursor checks that every cursor that is accepted stands for a name and is the only one that does.
func FuzzCursor(f *testing.F) {
	for _, seed := range []string{"", encodeCursor("name"), encodeCursor("../name"), "AAAA", "Zh"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		name, err := decodeCursor(cursor)
		if err == nil && (encodeCursor(name) != cursor || cursor != "" && !isName(name)) {
			t.Errorf("%q is accepted and stands for %q", cursor, name)
		}
	})
}

func TestComplete(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}})
	for _, tt := range []struct {
		value   string
		encoded bool
		want    []string
	}{
		{"s", false, []string{"sub/"}},
		{"sub/", false, []string{"sub/dir/", "sub/y"}},
		{"sub/dir/x", false, []string{"sub/dir/x.json"}},
		{"a ", false, []string{"a b%.txt"}},
		{"a", true, []string{"a%20b%25.txt"}},
		{"a%20", true, []string{"a%20b%25.txt"}},
		{".", false, []string{".hidden"}},
		{"out/", false, []string{}},
		{"../secrets/", false, []string{}},
		{"%2e%2e/secrets/", true, []string{}},
		{"none/", false, []string{}},
		{"README.md/", false, []string{}},
		{"a\x00", false, []string{}},
	} {
		if got := f.Complete(t.Context(), root, tt.value, tt.encoded); !slices.Equal(got.Values, tt.want) || got.More {
			t.Errorf("%q: %+v, want %q", tt.value, got, tt.want)
		}
	}
	if got := f.Complete(t.Context(), "", root+"/su", false); !slices.Equal(got.Values, []string{root + "/sub/"}) {
		t.Errorf("an absolute path: %q", got.Values)
	}
	for i := range maxValues + 1 {
		if err := os.WriteFile(filepath.Join(root, "sub", fmt.Sprintf("n%03d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Complete(t.Context(), root, "sub/n", false); len(got.Values) != maxValues || !got.More {
		t.Errorf("%d completions, more %v", len(got.Values), got.More)
	}
}
