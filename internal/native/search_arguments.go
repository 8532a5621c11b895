package native

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/search/filetype"
	"gander/internal/search/syntax"
	"gander/internal/tools/toolerror"
)

// decodeContext returns the requested numbers of lines around a match, and whether any is given.
func decodeContext(a *callArguments) (before, after int, isGiven bool) {
	around := a.get("context context_lines -C C")
	above, below := a.alias("before before_context -B B"), a.alias("after after_context -A A")
	both := around.Int(0, 0, math.MaxInt)
	before, after = above.Int(both, 0, math.MaxInt), below.Int(both, 0, math.MaxInt)
	return before, after, around.Given() || above.Given() || below.Given()
}

// globsOf returns the globs of the arguments for globs and for types of files. The last one that
// matches decides, so those that exclude files follow those of types.
func globsOf(given, kinds string) ([]string, error) {
	globs, err := splitLines("glob", given)
	if err != nil {
		return nil, err
	}
	names, err := splitLines("type", kinds)
	if err != nil {
		return nil, err
	}
	for i, g := range globs {
		if len(names) > 0 && !strings.HasPrefix(g, "!") {
			return nil, toolerror.BadArguments("type and glob %q both select files; give glob alone",
				text.Excerpt(g))
		}
		globs[i] = workspace.SlashGlob(g)
	}
	var types []string
	for _, name := range names {
		glob, ok := filetype.Glob(name)
		if !ok {
			return nil, toolerror.BadArguments("there is no type %q; give glob=%q, or a type of %s",
				text.Excerpt(name), "*."+text.Excerpt(name), strings.Join(filetype.Names(), ", "))
		}
		types = append(types, glob)
	}
	return append(types, globs...), nil
}

func patternError(ctx context.Context, pattern string, err error, literal bool) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok || ctx.Err() != nil {
		return wrongArgument(ctx, err)
	}
	character := utf8.RuneCountInString(pattern[:min(e.Offset, len(pattern))]) + 1
	message := fmt.Sprintf("pattern %q, character %d: %s",
		text.Cut(pattern, 1000), character, e.Message)
	if !literal && !strings.Contains(e.Message, "not supported") && !strings.Contains(pattern, "(?") {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return toolerror.BadArguments("%s", message)
}
