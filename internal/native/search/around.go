package search

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/blocks"
	"gander/internal/files/lines"
	"gander/internal/files/text"
	"gander/internal/native/block"
	"gander/internal/native/section"
	"gander/internal/native/wording"
)

const (
	blockResults = 20  // the default number of results on a page with the blocks around them
	wholeLines   = 500 // the largest block that is shown whole
	nearLines    = 6   // shown before and after a result in a larger one
	blockShare   = 4   // of several blocks, one takes at most the page divided by this
	signature    = 8   // the maximum number of lines of a signature above a part of a function
)

// A group is results of a file with the block around them.
type group struct {
	around  blocks.Block // or only the lines of the results
	results []pageLine
	notes   []pageLine
}

// blocksSection returns the section with the results, each with the block around it, and each block
// once. A block is left out only with all its results, unless it is the first one.
func (s *textSearch) blocksSection(ctx context.Context) (section.Section, error) {
	s.collected.flush()
	groups, err := s.groups(ctx)
	if err != nil {
		return section.Section{}, err
	}
	shown, err := s.fit(ctx, groups)
	if err != nil {
		return section.Section{}, err
	}
	var items section.Items
	hasParts := false
	path := ""
	for _, v := range shown {
		hasParts = hasParts || v.isPart
		if v.path == path {
			v.items[0] = gapMark + "\n" + v.items[0]
		}
		path = v.path
		for _, item := range v.items {
			items.AddBelow(path, []byte(item))
		}
	}
	end := s.headingEnd
	end.Total += " in " + wording.Counted(items.Paths, "file")
	result := s.report.Finish(ctx, items, end)
	result.Truncated = result.Truncated || hasParts
	return result, nil
}

// A view is how a group is shown: an item for each result, with the lines of the block from it to
// the next one. The first item begins with the lines above its result.
type view struct {
	path   string
	items  []string
	isPart bool // of the block: the lines around its results, and its signature
}

func (v view) size() section.Size {
	return section.LineSize(v.path + "\n" + strings.Join(v.items, "\n"))
}

// fit returns views of the first groups, as many as fit. A block that takes too much of the page is
// shown in part, unless all groups fit with it.
func (s *textSearch) fit(ctx context.Context, groups []group) (shown []view, err error) {
	most := s.report.Page.Budget.Minimum() - headingSize
	if len(groups) > 1 {
		most /= blockShare
	}
	used := section.Size{Bytes: headingSize, Chars: headingSize}
	wholes := make([]view, len(groups))
	for i, g := range groups {
		v, err := s.wholeView(ctx, g)
		if err != nil {
			return nil, err
		}
		wholes[i] = v
		if v.items == nil || v.size().Bytes > most {
			v, err = s.view(ctx, g, g.kindOf)
			v.isPart = true
		}
		if err != nil {
			return nil, err
		}
		if i > 0 && !s.report.Page.Budget.Fits(used.Plus(v.size())) {
			return shown, nil
		}
		used = used.Plus(v.size())
		shown = append(shown, v)
	}

	for i, whole := range wholes {
		longer := used.Minus(shown[i].size()).Plus(whole.size())
		if shown[i].isPart && whole.items != nil && s.report.Page.Budget.Fits(longer) {
			shown[i], used = whole, longer
		}
	}
	return shown, nil
}

// wholeView returns a group with its whole block, or no items if that has too many lines.
func (s *textSearch) wholeView(ctx context.Context, g group) (view, error) {
	if g.around.Lines() > wholeLines {
		return view{}, nil
	}
	return s.view(ctx, g, func(int) (lineKind, bool) { return nearLine, true })
}

// groups returns the groups of the results on the page, in their order.
func (s *textSearch) groups(ctx context.Context) (groups []group, err error) {
	all := s.collected.lines
	for begin := 0; begin < len(all); {
		end := begin + 1
		for end < len(all) && all[end].path == all[begin].path {
			end++
		}
		of := all[begin:end]
		begin = end
		var around []blocks.Block // none if blocks are not looked for in the file
		err := s.withBlocks(ctx, of[0], func(source block.Source) (err error) {
			around, err = source.Blocks(ctx, block.MaxLines, resultNumbers(of)...)
			return err
		})
		if err != nil {
			return nil, err
		}
		groups = append(groups, grouped(of, around)...)
	}
	return groups, nil
}

// grouped returns the groups of the results of a file, each with its block. Results whose blocks
// are the same, or overlap, are one group.
func grouped(of []pageLine, around []blocks.Block) (groups []group) {
	i := 0
	for _, l := range of {
		if l.kind != resultLine {
			last := &groups[len(groups)-1]
			last.notes = append(last.notes, l)
			continue
		}
		b := blocks.Block{First: l.number, Last: l.number}
		if i < len(around) && around[i].First > 0 {
			b = around[i]
		}
		i++
		next := group{around: b, results: []pageLine{l}}
		for len(groups) > 0 && groups[len(groups)-1].around.Last >= b.First {
			last := groups[len(groups)-1]
			groups = groups[:len(groups)-1]
			if last.around.Lines() > next.around.Lines() {
				next.around = last.around
			}
			next.around.First = min(next.around.First, last.around.First)
			next.around.Last = max(next.around.Last, last.around.Last)
			next.results = append(last.results, next.results...)
		}
		groups = append(groups, next)
	}
	return groups
}

// A selector returns what a line is in a block. ok is false if it is not shown.
type selector func(number int) (kind lineKind, ok bool)

// kindOf returns what a line is in a part of a block. ok is false if it is not shown.
func (g group) kindOf(number int) (kind lineKind, ok bool) {
	for _, l := range g.results {
		if l.number-nearLines <= number && number <= l.number+nearLines {
			return nearLine, true
		}
	}
	head := g.around.Head
	return enclosingLine, head <= number && number <= min(g.around.Body, head+signature-1)
}

// view returns a group with the lines of its block that are shown.
func (s *textSearch) view(ctx context.Context, g group, shown selector) (view, error) {
	v := view{path: g.results[0].path}
	texts, err := s.textsOf(ctx, g, shown)
	if err != nil {
		return v, err
	}
	var item []string
	last := g.around.First - 1
	results := g.results
	for _, l := range texts {
		isResult := len(results) > 0 && results[0].number == l.number
		if isResult {
			l, results = results[0], results[1:]
		}
		if isResult && len(results) < len(g.results)-1 {
			v.items = append(v.items, strings.Join(item, "\n"))
			item = nil
		}
		if l.number > last+1 && last >= g.around.First {
			item = append(item, gapMark)
		}
		last = l.number
		item = append(item, l.render(s.collected.cutsResults))
	}
	if len(texts) < g.around.Lines() {
		place := fmt.Sprintf("%s:%d-%d", g.results[0].path, g.around.First, g.around.Last)
		item = append(item, "[a part of the block; "+wording.Tool(ctx, "read_file")+" "+
			wording.StringArgument(ctx, "path", place)+"]")
	}
	for _, note := range g.notes {
		item = append(item, note.text)
	}
	v.items = append(v.items, strings.Join(item, "\n"))
	return v, nil
}

// textsOf returns the lines of a block that are shown. Results are among them.
func (s *textSearch) textsOf(
	ctx context.Context, g group, shown selector,
) (texts []pageLine, err error) {
	texts = g.results
	if g.around.Lines() == 1 {
		return texts, nil
	}
	err = s.withBlocks(ctx, g.results[0], func(source block.Source) error {
		read, err := s.linesOf(ctx, g, shown, source.Cursor)
		if err == nil {
			texts = read
		}
		return err
	})
	return texts, err
}

// linesOf returns the lines of a block that are shown, which a cursor reads.
func (s *textSearch) linesOf(
	ctx context.Context, g group, shown selector, c *lines.Cursor,
) (texts []pageLine, err error) {
	if err := c.Seek(ctx, g.around.First); err != nil {
		return nil, err
	}
	for number := g.around.First; number <= g.around.Last; number++ {
		l, err := c.Next(ctx)
		if err != nil {
			return nil, err
		}
		kind, ok := shown(number)
		if !ok {
			continue
		}
		end := len(l.Text)
		more := ""
		if end > s.maxLine {
			end = text.WholeCharacters(l.Text[:s.maxLine])
			place := fmt.Sprintf("%s:%d", g.results[0].path, number)
			more = " [line cut; " + wording.Tool(ctx, "read_file") + " " +
				wording.StringArgument(ctx, "path", place) + "]"
		}
		line := excerpt{text: toValidUTF8(l.Text[:end]) + more}
		texts = append(texts, pageLine{kind: kind, number: number, excerpt: line})
	}
	return texts, nil
}
