// Package minimatch matches paths with patterns as the npm package minimatch 10.2.6 does with its option dot: a leading dot is
// as any other character. The paths are relative to some directory: components separated by slashes, none of which is empty,
// "." or "..".
//
// Matching takes time polynomial in the sizes of pattern and path: it follows all ways through a pattern at once.
package minimatch

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrTooLong reports a pattern of more than 65,536 UTF-16 units, or one whose braces stand for more than 512 KiB of different
// components. The npm package compiles the latter, with memory to match.
var ErrTooLong = errors.New("pattern is too long")

const (
	maxUnits    = 1 << 16
	maxCompiled = 512 << 10 // bytes of all components; a compiled one takes up to 70 times its length
)

// A Pattern is a compiled pattern. It is safe for concurrent use.
type Pattern struct {
	negated bool
	nothing bool        // it matches nothing
	globs   [][]segment // the alternatives
}

// Compile compiles a pattern. The error is [ErrTooLong], or an [InvalidError].
func Compile(pattern string) (*Pattern, error) {
	if units(pattern) > maxUnits {
		return nil, ErrTooLong
	}
	p := new(Pattern)
	if pattern == "" || pattern[0] == '#' {
		p.nothing = true
		return p, nil
	}
	rest := strings.TrimLeft(pattern, "!")
	p.negated = (len(pattern)-len(rest))%2 == 1
	compiled, size := make(map[string]segment), 0
	seen := make(map[string]bool)
	for _, glob := range expandBraces(rest) {
		if seen[glob] {
			continue
		}
		seen[glob] = true
		var segments []segment
		for _, part := range resolveDots(splitSlashes(glob)) {
			s, ok := compiled[part]
			if !ok {
				if size += len(part); size > maxCompiled {
					return nil, ErrTooLong
				}
				var err error
				if s, err = newSegment(part); err != nil {
					return nil, err
				}
				compiled[part] = s
			}
			segments = append(segments, s)
		}
		p.globs = append(p.globs, segments)
	}
	return p, nil
}

// units returns the number of UTF-16 units of s.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// splitSlashes splits a glob at runs of slashes.
func splitSlashes(glob string) []string {
	parts := strings.Split(glob, "/")
	kept := parts[:1]
	for i, part := range parts[1:] {
		if part != "" || i == len(parts)-2 {
			kept = append(kept, part)
		}
	}
	return kept
}

// resolveDots removes "x/.." and repeated "**".
func resolveDots(parts []string) []string {
	var kept []string
	for _, part := range parts {
		last := ""
		if len(kept) > 0 {
			last = kept[len(kept)-1]
		}
		switch {
		case part == "**" && last == "**":
		case part == ".." && !slices.Contains([]string{"", "..", ".", "**"}, last):
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return []string{""}
	}
	return kept
}

// Match reports whether the pattern matches path, which must be well-formed UTF-8.
func (p *Pattern) Match(path string) bool {
	if p.nothing {
		return false
	}
	file := strings.Split(path, "/")
	for _, glob := range p.globs {
		if matchGlob(glob, file) {
			return !p.negated
		}
	}
	return p.negated
}

func matchGlob(glob []segment, file []string) bool {
	first := slices.IndexFunc(glob, segment.isGlobstar)
	if first < 0 {
		return matchExactly(glob, file)
	}
	last := first
	for i := first; i < len(glob); i++ {
		if glob[i].isGlobstar() {
			last = i
		}
	}
	head, tail := glob[:first], glob[last+1:]
	if len(file) < len(head)+len(tail) || !matchExactly(head, file[:len(head)]) || !matchExactly(tail, file[len(file)-len(tail):]) {
		return false
	}
	file = file[len(head) : len(file)-len(tail)]
	if first == last {
		return len(tail) > 0 || len(file) > 0
	}
	return matchSections(sections(glob[first+1:last], len(file)), file, 0, len(tail) > 0, 0) == found
}

func matchExactly(glob []segment, file []string) bool {
	if len(glob) != len(file) {
		return false
	}
	for i, s := range glob {
		if !s.match(file[i]) {
			return false
		}
	}
	return true
}

// A section is what stands between two components "**". It must begin at the index latest or before.
type section struct {
	segments []segment
	latest   int
}

// sections returns the sections of what stands between the first and the last "**" of a glob. The bounds are those that the
// original computes: it takes the sections that precede for those that follow, so it misses matches of sections of different
// lengths.
func sections(body []segment, length int) []section {
	list := []section{{}}
	before := []int{0}
	count := 0
	for _, s := range body {
		if s.isGlobstar() {
			list = append(list, section{})
			before = append(before, count)
			continue
		}
		count++
		last := &list[len(list)-1]
		last.segments = append(last.segments, s)
	}
	for i := range list {
		list[i].latest = length - before[len(list)-1-i] - len(list[i].segments)
	}
	return list
}

// An outcome is what a search for sections came to.
type outcome uint8

const (
	notHere outcome = iota // the sections do not follow here, but may further on
	nowhere                // they do not follow further on either
	found
)

// maxGlobstars is the number of sections that the original follows.
const maxGlobstars = 200

// matchSections looks for the sections in order, from an index of the file on. What follows them must not be empty, unless
// the glob has a tail.
func matchSections(list []section, file []string, from int, tail bool, depth int) outcome {
	if len(list) == 0 {
		if tail || from < len(file) {
			return found
		}
		return notHere
	}
	length := len(list[0].segments)
	for ; from <= list[0].latest; from++ {
		if from+length <= len(file) && depth < maxGlobstars && matchExactly(list[0].segments, file[from:from+length]) {
			if o := matchSections(list[1:], file, from+length, tail, depth+1); o != notHere {
				return o
			}
		}
	}
	return nowhere
}

// isPlain reports whether s is ASCII, so that its bytes are its UTF-16 units.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
