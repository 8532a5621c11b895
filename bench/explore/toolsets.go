//go:build linux

package main

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A step is what an explorer wants to do, in no toolset's words.
type step struct {
	do      action
	path    string // relative to the root
	pattern string // to search for, a regular expression, or to find, a glob
	glob    string // files to search
	from, n int    // lines to read, or lines around what is searched for
	block   int    // the line whose block is read, where a tool can do that, in place of from and n
}

type action int

const (
	search   action = iota // the lines that match
	names                  // the files with a line that matches
	counts                 // how many lines of each file match
	find                   // files by name
	newest                 // the files that were modified last
	list                   // a directory
	tree                   // two levels of directories
	read                   // a file, from a line on
	tail                   // the last lines of a file
	describe               // size, time and kind of a file
	look                   // an image
)

// A call is what a step becomes.
type call struct {
	tool string
	args map[string]any
}

// A hit is a place that an answer names.
type hit struct {
	path string
	line int // 0 if the answer names none
}

// A toolset translates steps into calls, and reads answers as their reader does. It is everything that differs between the
// toolsets.
type toolset struct {
	name string
	// own says that the toolset belongs to a program that has it built in, and passes its answers on as they are. Hosts cut what comes from
	// elsewhere.
	own bool
	// translate returns the call for a step, or false if no tool can do it.
	translate func(root string, s step) (call, bool)
	// more returns the call that goes on after an answer, or false if the answer does not offer one.
	more func(c call, answer string) (call, bool)
	// hits returns what an answer of a search or of finding names.
	hits func(root, answer string) []hit
}

type object = map[string]any

// some returns an object without the members that are "" or 0.
func some(o object) object {
	for key, value := range o {
		if value == "" || value == 0 {
			delete(o, key)
		}
	}
	return o
}

// onward returns a function for toolset.more: a pattern in the answer has the number from which to go on.
func onward(argument, pattern string, add int) func(call, string) (call, bool) {
	re := regexp.MustCompile(pattern)
	return func(c call, answer string) (call, bool) {
		m := re.FindStringSubmatch(answer)
		if m == nil {
			return c, false
		}
		next, _ := strconv.Atoi(m[1])
		args := object{}
		for key, value := range c.args {
			args[key] = value
		}
		args[argument] = next + add
		return call{c.tool, args}, true
	}
}

// ours returns gander's default toolset.
func ours() toolset {
	return toolset{
		name: "gander",
		translate: func(_ string, s step) (call, bool) {
			switch s.do {
			case search:
				return call{"gander/search_text", some(object{"pattern": s.pattern, "path": s.path, "glob": s.glob, "context": s.n})}, true
			case names:
				return call{"gander/search_text", some(object{"pattern": s.pattern, "path": s.path, "glob": s.glob, "output": "files"})}, true
			case counts:
				return call{"gander/search_text", some(object{"pattern": s.pattern, "path": s.path, "glob": s.glob, "output": "counts"})}, true
			case find:
				return call{"gander/find_files", some(object{"pattern": s.pattern, "path": s.path})}, true
			case newest:
				return call{"gander/find_files", some(object{"sort": "modified", "kind": "file", "path": s.path, "limit": s.n})}, true
			case list, describe:
				return call{"gander/list_dir", some(object{"path": s.path})}, true
			case tree:
				return call{"gander/list_dir", some(object{"path": s.path, "depth": 2})}, true
			case tail:
				return call{"gander/read_file", object{"path": s.path, "offset": -s.n}}, true
			default:
				if s.block > 0 {
					return call{"gander/read_file", object{"path": s.path, "block": s.block}}, true
				}
				return call{"gander/read_file", some(object{"path": s.path, "offset": s.from, "limit": s.n})}, true
			}
		},
		more: onward("offset", `continue with offset=(\d+)`, 0),
		hits: func(_, answer string) (hits []hit) {
			file := ""
			for line := range strings.Lines(answer) {
				line = strings.TrimSuffix(line, "\n")
				number, _, isLine := strings.Cut(line, "\t")
				switch n, err := strconv.Atoi(number); {
				case isLine && err == nil:
					hits = append(hits, hit{file, n})
				case !isLine && line != "" && !strings.Contains(line, " ") && !strings.HasPrefix(line, "["):
					file = line
					hits = append(hits, hit{path: line})
				}
			}
			return hits
		},
	}
}

// codex returns Codex's list_dir, read_file and grep_files, in gander's reproduction.
func codex() toolset {
	return toolset{
		name: "Codex",
		own:  true,
		translate: func(root string, s step) (call, bool) {
			abs := filepath.Join(root, s.path)
			switch s.do {
			case search, names: // it names files alone
				return call{"codex/grep_files", some(object{"pattern": s.pattern, "path": abs, "include": s.glob})}, true
			case find: // what contains a line
				return call{"codex/grep_files", object{"pattern": ".", "path": abs, "include": s.pattern}}, true
			case newest: // files come by time
				return call{"codex/grep_files", object{"pattern": ".", "path": abs, "limit": s.n}}, true
			case list:
				return call{"codex/list_dir", object{"dir_path": abs, "depth": 1, "limit": 1000}}, true
			case tree:
				return call{"codex/list_dir", object{"dir_path": abs, "depth": 2, "limit": 1000}}, true
			case read:
				if s.block > 0 {
					return call{"codex/read_file", object{"file_path": abs, "offset": s.block, "mode": "indentation", "indentation": object{"max_levels": 1}}}, true
				}
				return call{"codex/read_file", some(object{"file_path": abs, "offset": s.from, "limit": s.n})}, true
			default:
				return call{}, false
			}
		},
		more: func(c call, answer string) (call, bool) {
			switch c.tool {
			case "codex/list_dir":
				offset, _ := c.args["offset"].(int)
				return onward("offset", `More than (\d+) entries found$`, max(offset, 1))(c, answer)
			case "codex/read_file": // it does not say that there is more, but a full page suggests it
				all := regexp.MustCompile(`(?m)^L(\d+): `).FindAllStringSubmatch(answer, -1)
				if limit, _ := c.args["limit"].(int); len(all) < 2000 || limit > 0 {
					return c, false
				}
				return onward("offset", `^L(\d+)`, 2000)(c, answer)
			}
			return c, false
		},
		hits: absoluteHits,
	}
}

// absoluteHits reads an answer that has an absolute path on each line.
func absoluteHits(root, answer string) (hits []hit) {
	for line := range strings.Lines(answer) {
		if rel, ok := strings.CutPrefix(strings.TrimSpace(line), root+"/"); ok {
			hits = append(hits, hit{path: rel})
		}
	}
	return hits
}

// official returns the tools of the MCP project's filesystem server.
func official() toolset {
	return toolset{
		name: "MCP filesystem server",
		translate: func(root string, s step) (call, bool) {
			abs := filepath.Join(root, s.path)
			switch s.do {
			case find:
				pattern := s.pattern
				if !strings.Contains(pattern, "/") {
					pattern = "**/" + pattern
				}
				return call{"search_files", object{"path": abs, "pattern": pattern}}, true
			case list:
				return call{"list_directory", object{"path": abs}}, true
			case tree:
				return call{"directory_tree", object{"path": abs}}, true
			case read:
				if s.from <= 1 && s.n > 0 {
					return call{"read_text_file", object{"path": abs, "head": s.n}}, true
				}
				return call{"read_text_file", object{"path": abs}}, true
			case tail:
				return call{"read_text_file", object{"path": abs, "tail": s.n}}, true
			case describe:
				return call{"get_file_info", object{"path": abs}}, true
			case look:
				return call{"read_media_file", object{"path": abs}}, true
			default:
				return call{}, false
			}
		},
		more: func(c call, _ string) (call, bool) { return c, false },
		hits: absoluteHits,
	}
}

// gemini returns Gemini CLI's tools, from its npm package.
func gemini() toolset {
	return toolset{
		name: "Gemini CLI",
		own:  true,
		translate: func(_ string, s step) (call, bool) {
			switch s.do {
			case search, counts:
				return call{"grep_search", some(object{"pattern": s.pattern, "dir_path": s.path, "include_pattern": s.glob, "context": s.n})}, true
			case names:
				return call{"grep_search", some(object{"pattern": s.pattern, "dir_path": s.path, "include_pattern": s.glob, "names_only": true})}, true
			case find:
				return call{"glob", some(object{"pattern": "**/" + s.pattern, "dir_path": s.path})}, true
			case newest: // files come by time
				return call{"glob", some(object{"pattern": "**/*", "dir_path": s.path})}, true
			case list:
				return call{"list_directory", object{"dir_path": path.Join(".", s.path)}}, true
			case read, look:
				end := 0
				if s.n > 0 {
					end = max(s.from, 1) + s.n - 1
				}
				return call{"read_file", some(object{"file_path": s.path, "start_line": s.from, "end_line": end})}, true
			default:
				return call{}, false
			}
		},
		more: func(c call, answer string) (call, bool) {
			if _, ranged := c.args["end_line"]; ranged {
				return c, false
			}
			return onward("start_line", `use start_line: (\d+)`, 0)(c, answer)
		},
		hits: func(root, answer string) (hits []hit) {
			hits = absoluteHits(root, answer)
			file := ""
			for line := range strings.Lines(answer) {
				if name, ok := strings.CutPrefix(line, "File: "); ok {
					file = strings.TrimPrefix(strings.TrimSpace(name), root+"/")
					hits = append(hits, hit{path: file})
				}
				if m := regexp.MustCompile(`^L(\d+): `).FindStringSubmatch(line); m != nil {
					n, _ := strconv.Atoi(m[1])
					hits = append(hits, hit{file, n})
				}
			}
			return hits
		},
	}
}

// shell returns the commands ls, cat and rg, with sed and tail for a part of what they print.
func shell() toolset {
	return toolset{
		name: "`ls`, `cat`, `rg`",
		translate: func(_ string, s step) (call, bool) {
			at := quote(path.Join(".", s.path))
			glob := ""
			if s.glob != "" {
				glob = " -g " + quote(s.glob)
			}
			command := ""
			switch s.do {
			case search:
				command = fmt.Sprintf("rg --sort path -nH -C %d%s -e %s %s", s.n, glob, quote(s.pattern), at)
			case names:
				command = fmt.Sprintf("rg --sort path -l%s -e %s %s", glob, quote(s.pattern), at)
			case counts:
				command = fmt.Sprintf("rg --sort path -c%s -e %s %s", glob, quote(s.pattern), at)
			case find:
				command = fmt.Sprintf("rg --files --sort path -g %s %s", quote(s.pattern), at)
			case newest:
				command = "rg --files --sortr modified " + at
			case list:
				command = "ls -Ap " + at
			case tree:
				command = "ls -Ap " + at + " " + at + "/*/"
			case read:
				command = "cat " + at
				if s.n > 0 {
					command = fmt.Sprintf("sed -n %d,%dp %s", max(s.from, 1), max(s.from, 1)+s.n-1, at)
				}
			case tail:
				command = fmt.Sprintf("tail -n %d %s", s.n, at)
			case describe:
				command = "ls -ld " + at
			default:
				return call{}, false
			}
			return call{"sh", object{"command": command}}, true
		},
		more: func(c call, answer string) (call, bool) { // the lines that the host has left out
			whole := strings.LastIndexByte(strings.TrimSuffix(answer, hostMark), '\n') + 1
			if !strings.HasSuffix(answer, hostMark) || whole == 0 {
				return c, false
			}
			from, _ := c.args["from"].(int)
			return call{c.tool, object{"command": c.args["command"], "from": max(from, 1) + strings.Count(answer[:whole], "\n")}}, true
		},
		hits: func(_, answer string) (hits []hit) {
			for line := range strings.Lines(answer) {
				line = strings.TrimPrefix(strings.TrimSpace(line), "./")
				if m := regexp.MustCompile(`^([^:\s]+):(\d+):`).FindStringSubmatch(line); m != nil {
					n, _ := strconv.Atoi(m[2])
					hits = append(hits, hit{m[1], n})
				} else if !strings.ContainsAny(line, " :") {
					hits = append(hits, hit{path: line})
				}
			}
			return hits
		},
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
