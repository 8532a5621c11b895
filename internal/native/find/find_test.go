package find

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
	"gander/internal/testkit/unprivileged"
)

// TestFindShutDirectories finds directories that cannot be entered: denied, without permission to
// read them, or in one without permission to search it. find_files lists them by name and counts
// them, once.
func TestFindShutDirectories(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		root := fixture.Make(
			t, "a/.ssh/id", "a/f", "b/shut/f", "b/shut/ 0000", ".ssh/id", "c/d/", "searched/d/",
		)
		w := tooltest.Workspace(t, []string{"**/.ssh/**"}, root)
		tool := nativetest.Caller(t, Tool(nativetest.Environment(w)))
		directories := strings.Fields(".ssh/ a/ a/.ssh/ b/ b/shut/ c/ c/d/ searched/ searched/d/")
		for _, tt := range []struct {
			args string
			want []string
		}{
			{`"kind":"directory"`, directories},
			{`"kind":"directory","pattern":".ssh"`, []string{".ssh/", "a/.ssh/"}},
			{`"pattern":"**/.ssh/"`, []string{".ssh/", "a/.ssh/"}},
			{`"pattern":"shut"`, []string{"b/shut/"}},
			{`"kind":"file"`, []string{"a/f"}},
			{``, append([]string{"a/f"}, directories...)},
		} {
			slices.Sort(tt.want)
			for _, sort := range []string{"path", "modified"} {
				args := strings.TrimPrefix(tt.args+fmt.Sprintf(`,"sort":%q`, sort), ",")
				heading, body, _ := strings.Cut(tooltest.Output(tool, "{"+args+"}", -1), "\n")
				got := strings.Split(body, "\n")
				slices.Sort(got)
				if count, _, _ := strings.Cut(heading, " "); !slices.Equal(got, tt.want) ||
					count != fmt.Sprint(len(tt.want)) {
					t.Errorf("%s: %s\n%q, want %q", args, heading, got, tt.want)
				}
				for name, clause := range map[string]string{
					".ssh/": "2 denied by pattern **/.ssh/**", "shut": "unreadable: b/shut (permission denied)",
				} {
					if !strings.Contains(heading, clause) {
						t.Errorf("%s: the heading does not tell about %s: %s", args, name, heading)
					}
				}
			}
		}
		var paged []string
		for offset := 1; offset <= len(directories); offset++ {
			args := fmt.Sprintf(`{"kind":"directory","limit":1,"offset":%d}`, offset)
			_, page, _ := strings.Cut(tooltest.Output(tool, args, -1), "\n")
			line, _, _ := strings.Cut(page, "\n")
			paged = append(paged, line)
		}
		if !slices.Equal(paged, directories) {
			t.Errorf("in pages: %q, want %q", paged, directories)
		}
	})
}

func TestRelativePattern(t *testing.T) {
	roots := []string{"/w/one", "/w/two"}
	for _, tt := range []struct{ pattern, relative, root string }{
		{"", "", ""},
		{".", "", ""},
		{"/", "", ""},
		{"./", "", ""},
		{"./lib", "lib", ""},
		{"./*.go", "/*.go", ""},
		{".//*.go", "/*.go", ""},
		{"*.go", "*.go", ""},
		{"/*.go", "/*.go", ""},
		{"/w/two/*.go", "/*.go", "/w/two"},
		{"/w/two/a/", "a/", "/w/two"},
		{"/w/two", "", "/w/two"},
		{"/w/two/", "", "/w/two"},
		{"/w/twofold", "/w/twofold", ""},
		{"/w", "/w", ""},
	} {
		relative, root := lookup.RelativePattern(tt.pattern, roots...)
		if relative != tt.relative || root != tt.root {
			t.Errorf("%q: %q in %q, want %q in %q", tt.pattern, relative, root, tt.relative, tt.root)
		}
	}
}

// TestBoundedMeanings looks for patterns without a match in a tree that is too large for the rest
// of the survey. What is said about a pattern is true.
func TestBoundedMeanings(t *testing.T) {
	root := t.TempDir()
	tooltest.Write(t, root, "a/b/x.go")
	for i := range 20 {
		tooltest.Write(t, root, fmt.Sprintf("d%d/", i))
	}
	e := nativetest.Environment(tooltest.Workspace(t, nil, root))
	find := Tool(e)
	for pattern, want := range map[string]string{
		"b/*.go":  `; "**/b/*.go" matches at least 1 path`,
		"c/*.go":  `; "**/c/*.go" matches at any depth`,
		"^nobody": "; a pattern is a glob or a part of the path, not a regular expression",
		`.go$`:    "; a pattern is a glob or a part of the path, not a regular expression",
	} {
		c := e.NewCall("")
		c.Paths.Surveyed.Entries = lookup.MaxSurveyed - 10*lookup.EnteredCost
		args := find.DecodeArguments(t.Context(), []byte(`{"pattern":"`+pattern+`"}`))
		r, _, err := parse(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Section(t.Context(), c, section.Unlimited, "")
		if err != nil || !strings.HasSuffix(s.Heading, want) {
			t.Errorf("%s: %q, %v, want %s", pattern, s.Heading, err, want)
		}
	}
}
