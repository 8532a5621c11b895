package architecture

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestReadersPath checks that the files and functions through which docs/architecture.md follows
// calls exist. A file without a folder is in the folder of the one before.
func TestReadersPath(t *testing.T) {
	_, section, _ := strings.Cut(read(t, "../../docs/architecture.md"), "### Two calls in the code\n")
	section, _, _ = strings.Cut(section, "\n## ")
	quoted := regexp.MustCompile("`([^`]+)`")
	functions := 0
	for row := range strings.Lines(section) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			continue
		}
		var sources strings.Builder
		folder := ""
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			file := m[1]
			if !strings.Contains(file, "/") {
				file = path.Join(folder, file)
			}
			folder = path.Dir(file)
			info, err := os.Stat("../../" + file)
			switch {
			case err != nil:
				t.Errorf("the path passes %s: %v", file, err)
			case !info.IsDir():
				sources.WriteString(read(t, "../../"+file))
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[2], -1) {
			functions++
			name := regexp.QuoteMeta(m[1][strings.LastIndex(m[1], ".")+1:])
			declared := regexp.MustCompile(`(?m)^func (\(.*?\) )?` + name + `[\[(]`)
			if !declared.MatchString(sources.String()) {
				t.Errorf("the path passes %s, which is not in%s", m[1], cells[1])
			}
		}
	}
	if functions < 40 {
		t.Errorf("the path passes %d functions", functions)
	}
}
