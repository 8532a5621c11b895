package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestContainerDirs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		words string // with docker or podman before them
		dirs  string
		fails string // what the error contains
	}{
		{"run -i --rm --mount type=bind,src=/u/Desktop,dst=/projects/Desktop --mount type=bind,src=/o,dst=/projects/o/d,ro mcp/filesystem /projects", "/u/Desktop /o", ""},
		{"run -i --rm --mount type=bind,src=${workspaceFolder},dst=/projects/workspace mcp/filesystem /projects", "${workspaceFolder}", ""},
		{"run -it --mount=source=/a,target=/x/,type=bind,readonly docker.io/mcp/filesystem:latest /x", "/a", ""},
		{"run -i -v /a:/projects/a:ro,z --volume=/b:/b mcp/filesystem@sha256:1 /projects /b/", "/a /b", ""},
		{"run -i -v /a:/projects mcp/filesystem /projects/in /projects/in/../by", "/a/in /a/by", ""},
		{"run -i -v /a:/ mcp/filesystem /in", "/a/in", ""},
		{"run -i -v /a:/projects -v /b:/projects/b mcp/filesystem /projects /projects", "/a /b", ""},
		{`run -i -v C:\Users\u:/projects/u mcp/filesystem /projects`, `C:\Users\u`, ""},
		{"run -i -v /a:/other mcp/filesystem /projects", "", "serves no directory"},
		{"run -i -v /a:/projectsx mcp/filesystem /projects", "", "serves no directory"},
		{"run -i mcp/filesystem /projects", "", "serves no directory"},
		{"run -i -v name:/projects mcp/filesystem /projects", "", "not a plain bind"},
		{"run -i --mount type=volume,src=name,dst=/projects mcp/filesystem /projects", "", "not a plain bind"},
		{"run -i --mount type=bind,src=/a,dst=/projects,bind-propagation=shared mcp/filesystem /projects", "", "not a plain bind"},
		{"run -i --mount mcp/filesystem", "", "not a plain bind"},
		{"run -i --user 1000 -v /a:/projects mcp/filesystem /projects", "", `option "--user"`},
		{"run -i -v " + file + ":/projects/file.txt mcp/filesystem /projects", "", "serves the file"},
		{"run -i -v /a:/projects mcp/filesystem-other /projects", "", "does not start"},
		{"exec -i mcp/filesystem /projects", "", "does not start"},
		{"mcp/filesystem", "", "does not start"},
		{"", "", "does not start"},
	} {
		dirs, err := containerDirs(strings.Fields(tt.words))
		if !slices.Equal(dirs, strings.Fields(tt.dirs)) || (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("docker %s: %q, %v", tt.words, dirs, err)
		}
	}
}

func FuzzContainerDirs(f *testing.F) {
	f.Add("run -i --mount type=bind,src=/a,dst=/projects/a,ro -v /b:/projects/b:ro mcp/filesystem /projects")
	f.Add("run --mount= -v : mcp/filesystem /")
	f.Fuzz(func(t *testing.T, words string) {
		dirs, err := containerDirs(strings.Split(words, " "))
		if (err == nil) != (len(dirs) > 0) || slices.Contains(dirs, "") {
			t.Errorf("%q, %v", dirs, err)
		}
	})
}
