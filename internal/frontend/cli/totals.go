package cli

import (
	"fmt"
	"io/fs"
	"strings"
)

// counts are what the totals tell.
type counts struct {
	directories, files, links, others int
	unreadable, unentered             int
	cut                               bool
}

func (n *counts) add(kind fs.FileMode) {
	switch kind {
	case fs.ModeDir:
		n.directories++
	case fs.ModeSymlink:
		n.links++
	case 0:
		n.files++
	default:
		n.others++
	}
}

func (n *counts) words(limit int) string {
	parts := []string{many(n.directories, "directory", "directories"), many(n.files, "file", "files")}
	if n.links > 0 {
		parts = append(parts, many(n.links, "link", "links"))
	}
	if n.others > 0 {
		parts = append(parts, many(n.others, "other", "others"))
	}
	words := strings.Join(parts, ", ")
	if n.unreadable > 0 {
		words += fmt.Sprintf("; %d unreadable", n.unreadable)
	}
	if n.unentered > 0 {
		words += fmt.Sprintf("; %d not entered (-L)", n.unentered)
	}
	if n.cut {
		words += fmt.Sprintf("; more not shown (--limit %d)", limit)
	}
	return words
}

func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
