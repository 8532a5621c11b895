package boundary

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"testing"

	"gander"
	"gander/internal/files/text"
	"gander/internal/testkit"
	"gander/tool"
)

// An escape is an attack on confinement. {x} is replaced by each outsider.
type escape struct {
	name    string
	entries []string // relative to {top}; the root is w, and the outsiders are in out
	paths   []string
	kind    tool.Kind // the expected kind of error; "" means Outside
}

// checkEscape calls every tool with every path, absolute and relative to the first root. Each call
// must fail, reveal nothing, and return the same error for all outsiders.
func checkEscape(t *testing.T, l layout, e escape, top string) {
	toolset := l.openIn(t, top)
	for _, path := range e.paths {
		for _, spelling := range l.spellings {
			for id, key := range testkit.PathArguments() {
				if isLexical(id) && l.name != layouts[0].name && id != "filesystem/read_text_file" &&
					id != "filesystem/directory_tree" {
					continue // they resolve paths alike
				}
				for _, relative := range []bool{false, true} {
					if relative && isLexical(id) && len(l.roots) > 1 {
						continue // relative to v, the path stays inside
					}
					answers, reasons := map[string]string{}, map[string]string{}
					for _, x := range outsiders() {
						p := strings.NewReplacer("{w}", top+"/"+spelling, "{top}", top, "{x}", x).Replace(path)
						if relative {
							first := strings.TrimSuffix(top+"/"+l.roots[0], "/")
							if p = relativeTo(first, p); p == "" {
								continue
							}
						}
						if id == "codex/list_dir" {
							checkUnreachable(t, toolset, p)
							answer, err := testkit.Inner(toolset).Why(t.Context(), p)
							output := fmt.Sprint(answer, err)
							if trace := leak(output, p, top); trace != "" {
								t.Errorf("Why of %s tells %s: %s", p, trace, output)
							}
							reasons[strings.ReplaceAll(output, x, "X")] += " " + x
						}
						result, failure := testkit.Call(t, toolset, id, object{key: p})
						output := describe(result, failure)
						if isNative(id) {
							output = strings.ReplaceAll(output, x, "X")
							if id == "gander/list_dir" && failure == nil &&
								strings.Contains(output, ": a link that cannot be followed: ") {
								if trace := leak(output, p, top); trace != "" {
									t.Errorf("%s of %s tells %s: %.300s", id, p, trace, output)
								}
								answers[strings.ReplaceAll(output, strings.ReplaceAll(p, x, "X"), "PATH")] += " " + x
								continue // it describes the link itself
							}
						}
						if failure == nil || !allowed(id, e.kind, failure.Kind, relative) {
							t.Errorf("%s of %s: %.300s", id, p, output)
							continue
						}
						if trace := leak(output, p, top); trace != "" {
							t.Errorf("%s of %s tells %s: %.300s", id, p, trace, output)
						}
						output = strings.ReplaceAll(
							strings.ReplaceAll(output, p, "PATH"), strings.ReplaceAll(p, x, "X"), "PATH",
						)
						if isLexical(id) { // its errors show the whole path
							output = strings.ReplaceAll(output, x, "X")
						}
						answers[output] += " " + x
					}
					if len(reasons) > 1 {
						t.Errorf("Why of %s (relative: %v) tells what is outside: %v", path, relative, reasons)
					}
					if len(answers) > 1 {
						t.Errorf("%s of %s (relative: %v) tells what is outside: %v", id, path, relative, answers)
					}
				}
			}
		}
	}
}

// checkUnreachable checks that FS and gander's own tools do not reach path.
func checkUnreachable(t *testing.T, toolset *gander.Toolset, path string) {
	t.Helper()
	if _, err := toolset.Sub(path); err == nil {
		t.Errorf("FS of %s is given", path)
	}
	if output, found := searched(t, toolset, path); found || leak(output, path) != "" {
		t.Errorf("searching %s says %s", path, output)
	}
}

// searched returns the output of find_files and search_text for a path, and whether either
// succeeded.
func searched(t *testing.T, toolset *gander.Toolset, path string) (output string, found bool) {
	t.Helper()
	var b strings.Builder
	for _, id := range []string{"gander/find_files", "gander/search_text"} {
		args := object{"path": text.EscapePath(path), "ignored": true}
		if id == "gander/search_text" {
			args["pattern"] = "."
		}
		result, failure := testkit.Call(t, toolset, id, args)
		if failure == nil {
			found = true
			b.WriteString(result.Text())
		} else {
			b.WriteString(failure.Message)
		}
	}
	return b.String(), found
}

// allowed reports whether a tool may return this kind of error. Codex and Gemini reject relative
// paths. tree rejects every symlink.
func allowed(id string, want, got tool.Kind, relative bool) bool {
	if want == "" {
		want = tool.Outside
	}
	switch {
	case got == want, got == tool.Outside:
		return true
	case got == tool.BadArguments:
		return relative && (strings.HasPrefix(id, "codex/") || strings.HasPrefix(id, "gemini/"))
	default:
		return id == "toolkit/tree" && got == tool.NotDirectory
	}
}

// relativeTo returns p relative to dir without resolving it, or "" if that is not possible.
func relativeTo(dir, p string) string {
	if rest, ok := strings.CutPrefix(p, dir+"/"); ok && rest != "" && rest[0] != '/' {
		return rest
	}
	rest, ok := strings.CutPrefix(p, path.Dir(dir)+"/")
	if !ok {
		return ""
	}
	return "../" + rest
}

// TestBoundaryEscapes tries the published attacks that escape a root, each with every layout of
// roots.
func TestBoundaryEscapes(t *testing.T) {
	for _, e := range escapes() {
		t.Run(e.name, func(t *testing.T) {
			top := makeTop(t, e.entries)
			layouts := layouts
			if testing.Short() {
				layouts = layouts[len(layouts)-3:] // through a symlink, narrowed to, renamed
			}
			for _, l := range layouts {
				t.Run(l.name, func(t *testing.T) { checkEscape(t, l, e, top) })
			}
		})
	}
}

func escapes() []escape {
	rows := []escape{
		{
			name:  "CVE-2025-53110",
			paths: []string{"{w}_evil", "{w}_evil/{x}", "{top}/w/../w_evil/{x}", "{w}_evil/", "{w}x/{x}"},
		},
		{
			name:    "CVE-2025-53109",
			entries: []string{"w/to-{x} => ../out/{x}", "w/abs-{x} => {top}/out/{x}"},
			paths:   []string{"{w}/to-{x}", "{w}/to-{x}/new", "{w}/abs-{x}", "{w}/abs-{x}/new/new"},
		},
		{name: "CVE-2025-54794", paths: []string{"{w}-backup", "{w}-backup/{x}"}},
		{
			name: "CVE-2025-11489", entries: []string{"w/link => ../out", "w/deep/er/link => {top}/out"},
			paths: []string{
				"{w}/link/{x}", "{w}/link/{x}/missing", "{w}/deep/er/link/{x}",
				"{w}/deep/er/link/{x}/missing/leaf",
			},
		},
		{
			name:  "rust-mcp-filesystem#91",
			paths: []string{"{w}/missing/../../out/{x}", "{w}/in/missing/../../../out/{x}"},
			kind:  tool.NotFound, // of the missing directory inside
		},
		{name: "a file as a directory", paths: []string{"{w}/f/../../out/{x}"}, kind: tool.NotDirectory},
		{
			name: "fast-filesystem-mcp#23", entries: []string{"w/a => ..", "w/b => a/out"},
			paths: []string{"{w}/a/out/{x}", "{w}/b/{x}", "{w}/in/../b/{x}"},
		},
		{
			name: "CVE-2026-7811, CVE-2026-40576, CVE-2026-32871, CVE-2026-33989", kind: tool.NotFound,
			paths: []string{
				"{top}/out/{x}", "{top}/out", "{w}/../out/{x}", "{w}/in/../../out/{x}",
				"{w}/%2e%2e%2fout%2f{x}", "{w}/%2e%2e/out/{x}", "{w}/..%2fout/{x}",
			},
		},
		{
			name: "CVE-2026-54286", kind: tool.NotFound,
			paths: []string{`{w}/..\out\{x}`, `{w}/in\..\..\out\{x}`, `{w}/in%5C..%5C..%5Cout%5C{x}`},
		},
		{
			name: "CVE-2025-22873",
			paths: []string{
				"{w}/../", "{w}/..", "{w}/in/../../", "{w}/./..//", "{w}/../out/{x}", "{w}/..//out//{x}",
				"{w}/in/.././../out/{x}/",
			},
		},
		{
			name:    "CVE-2026-39822",
			entries: []string{"w/to-{x} => ../out/{x}", "w/two-{x} => to-{x}/", "w/dot-{x} => ../out/{x}/."},
			paths: []string{
				"{w}/to-{x}/", "{w}/to-{x}/.", "{w}/to-{x}//", "{w}/to-{x}/./", "{w}/two-{x}", "{w}/two-{x}/",
				"{w}/dot-{x}", "{w}/dot-{x}//.",
			},
		},
		{
			name: "CVE-2025-27210, CVE-2025-23084", kind: tool.NotFound,
			paths: []string{"{w}/CON/../../out/{x}", "{w}/C:../out/{x}", "{w}/AUX./../../out/{x}"},
		},
		{
			name: "proc magic links", kind: tool.NotFound, // a link to a closed descriptor
			entries: []string{
				"w/root => /proc/self/root", "w/cwd => /proc/self/cwd", "w/fd => /proc/self/fd/0",
				"w/dev => /dev/fd/0",
			},
			paths: []string{
				"{w}/root", "{w}/root/{top}/out/{x}", "{w}/cwd/{x}", "{w}/fd", "{w}/dev",
				"/proc/self/root/{top}/out/{x}", "/proc/self/cwd", "/dev/stdin",
			},
		},
		{
			name: "chains and loops",
			entries: []string{
				"w/a => b", "w/b => c/d", "w/c => .", "w/d => in/../../out", "w/in/up => ../..",
				"w/back => ../w/../out",
			},
			paths: []string{
				"{w}/a/{x}", "{w}/b/{x}", "{w}/c/c/d/{x}", "{w}/in/up/out/{x}", "{w}/back/{x}",
				"{w}/in/up/w/in/up/out/{x}",
			},
		},
		{
			name: "home and variables", kind: tool.NotFound,
			paths: []string{
				"{w}/~/{x}", "{w}/$HOME/{x}", "{w}/${HOME}/{x}", "{w}/%USERPROFILE%/{x}",
				"{w}/file:///{top}/out/{x}",
			},
		},
	}
	if runtime.GOOS == "linux" {
		rows = append(
			rows,
			escape{name: "another case", paths: []string{"{top}/W", "{top}/W/{x}", "{top}/w/../W/{x}"}},
		)
	}
	return rows
}
