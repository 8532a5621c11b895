package search

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/search"
)

// emptyPage returns the section of a page without results.
func (s *textSearch) emptyPage(ctx context.Context) section.Section {
	isNothing := s.report.Page.Found == 0 && !s.isBinary
	heading := s.noneText(ctx) + s.report.Notes(ctx)
	if isNothing {
		heading += s.request.misreading()
	}
	return s.report.NoneSection(heading, isNothing)
}

func (s *textSearch) noneText(ctx context.Context) string {
	switch searched := s.report.Totals.Searched; {
	case s.report.Page.Found > 0:
		return s.report.Prefix + s.report.NoMoreText(ctx)
	case s.isBinary:
		return s.report.Shown + " is binary and matches; its lines are not shown"
	case searched == 0 && s.report.Totals.Documents+s.report.Totals.Late > 0:
		return "nothing is searched in " + s.report.Shown
	case s.report.Start.IsFile():
		return "no " + s.report.Noun + " in " + s.report.Shown
	case searched == 0:
		return s.noFileText(ctx)
	default:
		return fmt.Sprintf("%sno %s in %s searched", s.report.Prefix, s.report.Noun,
			wording.Counted(searched, "file"))
	}
}

// noFileText returns the heading if no file was searched below a directory.
func (s *textSearch) noFileText(ctx context.Context) string {
	noun := "file"
	isOther := s.report.Unreadable+len(s.report.Totals.Denied) > 0
	if isOther {
		noun = "other file"
	}
	globs := s.request.options.Globs
	if len(globs) == 0 {
		return fmt.Sprintf("nothing is searched, because there is no %s in %s", noun, s.report.Shown)
	}
	given, likely := strings.Join(globs, "\n"), s.likelyGlobs(globs)
	text := fmt.Sprintf("nothing is searched, because no %s in %s matches glob %.300q",
		noun, s.report.Shown, given)
	isOne := len(globs) == 1 && !strings.HasPrefix(given, "!")
	switch {
	case isOther:
	case likely != given:
		text += "; give " + wording.LinesArgument(ctx, "glob", likely)
	case isOne:
		text += results.Meanings(ctx, s.report, "file", search.FindOptions{
			Scope: lookup.Scope(false), Pattern: given, Kinds: []workspace.EntryKind{workspace.Regular},
		})
	}
	return text
}

// likelyGlobs returns the globs, one per line, that were probably meant: several in a line become
// one each, an extension becomes a suffix, and a directory becomes what is below it.
func (s *textSearch) likelyGlobs(globs []string) string {
	var likely []string
	for _, g := range globs {
		for _, part := range results.SplitGlobs(g, ", ") {
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
	info, err := s.report.Start.Location.Join(name).Lstat()
	return err == nil && info.Kind == workspace.Directory
}

// misreading returns the clause about a pattern without a match that probably does not mean what
// was intended.
func (r *request) misreading() string {
	switch {
	case r.literal && strings.Contains(r.pattern, `\`):
		return `; with literal, \ is a character of the text, so leave it out before others`
	case !r.literal && strings.Contains(r.pattern, `\|`):
		return `; \| is the character |, and | alone separates alternatives`
	default:
		return ""
	}
}
