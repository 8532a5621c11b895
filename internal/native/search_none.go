package native

import (
	"fmt"
	"strings"

	"gander/internal/files/workspace"
)

// emptyPage returns the section of a page without results.
func (s *textSearch) emptyPage() section {
	isNothing := s.page.found == 0 && !s.isBinary
	heading := s.noneText() + s.notes()
	if isNothing {
		heading += s.request.misreading()
	}
	return s.noneSection(heading, isNothing)
}

func (s *textSearch) noneText() string {
	switch searched := s.totals.Searched; {
	case s.page.found > 0:
		return s.prefix + s.noMoreText()
	case s.isBinary:
		return s.shown + " is binary and matches; its lines are not shown"
	case searched == 0 && s.totals.Documents+s.totals.Late > 0:
		return "nothing is searched in " + s.shown
	case s.start.isFile():
		return "no " + s.noun + " in " + s.shown
	case searched == 0:
		return s.noFileText()
	default:
		return s.prefix + fmt.Sprintf("no %s in %s searched", s.noun, counted(searched, "file"))
	}
}

// noFileText returns the heading if no file was searched below a directory.
func (s *textSearch) noFileText() string {
	noun := "file"
	isOther := s.unreadable+len(s.totals.Denied) > 0
	if isOther {
		noun = "other file"
	}
	globs := s.request.options.Globs
	if len(globs) == 0 {
		return fmt.Sprintf("nothing is searched, because there is no %s in %s", noun, s.shown)
	}
	given, likely := strings.Join(globs, "\n"), s.likelyGlobs(globs)
	text := fmt.Sprintf("nothing is searched, because no %s in %s matches glob %.300q",
		noun, s.shown, given)
	if likely != given && !isOther {
		text += fmt.Sprintf("; give glob=%.300q", likely)
	}
	return text
}

// likelyGlobs returns the globs, one per line, that were probably meant: several in a line become one
// each, an extension becomes a suffix, and a directory becomes what is below it.
func (s *textSearch) likelyGlobs(globs []string) string {
	var likely []string
	for _, g := range globs {
		for _, part := range splitGlobs(g, ", ") {
			likely = append(likely, s.likelyGlob(part))
		}
	}
	return strings.Join(likely, "\n")
}

func (s *textSearch) likelyGlob(glob string) string {
	isName := !strings.ContainsAny(glob, `*?[{\!/`) && strings.Trim(glob, ".") != ""
	switch {
	case strings.HasSuffix(glob, "/"):
		return glob + "**"
	case isName && s.hasDirectory(glob):
		return glob + "/**"
	case isName && strings.HasPrefix(glob, "."):
		return "*" + glob
	default:
		return glob
	}
}

// hasDirectory reports whether the searched directory has a subdirectory with a name.
func (s *textSearch) hasDirectory(name string) bool {
	info, err := s.start.location.Join(name).Lstat()
	return err == nil && info.Kind == workspace.Directory
}

// misreading returns the clause about a pattern without a match that probably does not mean what was
// intended.
func (r *searchRequest) misreading() string {
	switch {
	case r.literal && strings.Contains(r.pattern, `\`):
		return `; with literal, \ is a character of the text, so leave it out before others`
	case !r.literal && strings.Contains(r.pattern, `\|`):
		return `; \| is the character |, and | alone separates alternatives`
	default:
		return ""
	}
}
