package native

import (
	"slices"
	"strings"

	"gander/internal/search"
)

// What follows guesses which glob is meant by one that matches nothing.

// splitGlobs returns the globs of a list, which one of the separators is between. A text in which
// separators can have another meaning is not split.
func splitGlobs(list, separators string) []string {
	if strings.ContainsAny(list, `{[\`) {
		return []string{list}
	}
	return strings.FieldsFunc(list, func(c rune) bool { return strings.ContainsRune(separators, c) })
}

// listGlob returns one glob for a pattern of find_files that is rather a list of them, or "".
func listGlob(pattern string) string {
	separators := "\n"
	if search.IsGlob(pattern) {
		separators = "\n,;|"
		if !slices.ContainsFunc(strings.Fields(pattern), isWord) { // names can contain spaces
			separators += " "
		}
	}
	parts := splitGlobs(pattern, separators)
	if len(parts) < 2 {
		return ""
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case search.IsGlob(part):
			parts[i] = part
		case isWord(part):
			parts[i] = "*" + part + "*"
		default:
			parts[i] = "*" + part
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// isWord reports whether a part of a list is neither a glob nor an extension.
func isWord(part string) bool { return !search.IsGlob(part) && !strings.HasPrefix(part, ".") }

// likelyGlobs returns the probable meaning of globs of search_text, one per line: of several in a
// line, of an extension, and of a directory.
func likelyGlobs(globs []string) string {
	var likely []string
	for _, g := range globs {
		for _, part := range splitGlobs(g, ", ") {
			isPlain := !strings.ContainsAny(part, "*?[{\\!")
			switch {
			case isPlain && strings.HasPrefix(part, ".") && !strings.Contains(part, "/"):
				part = "*" + part
			case strings.HasSuffix(part, "/"):
				part += "**"
			}
			likely = append(likely, part)
		}
	}
	return strings.Join(likely, "\n")
}

// anyDepth returns a glob that matches at any depth what a pattern matches at one, or "".
func anyDepth(pattern string) string {
	inner, isRooted := strings.CutPrefix(pattern, "/")
	isNested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	if search.IsGlob(pattern) && (isRooted || isNested && !strings.HasPrefix(pattern, "**/")) {
		return "**/" + inner
	}
	return ""
}

// literalBrackets returns a pattern in which [ stands for itself, or "" if it does so already.
func literalBrackets(pattern string) string {
	if !strings.Contains(pattern, "[") || strings.Contains(pattern, `\[`) {
		return ""
	}
	return strings.ReplaceAll(pattern, "[", `\[`)
}
