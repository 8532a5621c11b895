package search

import (
	"fmt"
	"io"
	"strings"

	"gander/internal/blocks"
	"gander/internal/native/section"
	"gander/internal/native/wording"
)

const (
	blockResults = 20  // the default number of results on a page with the blocks around them
	wholeLines   = 500 // the largest block that is shown whole
	nearLines    = 6   // shown before and after a result in a larger one
	blockShare   = 4   // of several blocks, one takes at most this part of the page
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
func (s *textSearch) blocksSection() (section.Section, error) {
	s.collected.flush()
	groups, err := s.groups()
	if err != nil {
		return section.Section{}, err
	}
	var items section.Items
	left := section.Size{Bytes: headingSize, Chars: headingSize}
	for i, g := range groups {
		whole, err := s.blockItems(g, len(groups) > 1)
		if err != nil {
			return section.Section{}, err
		}
		if i > 0 && groups[i-1].results[0].path == g.results[0].path {
			whole[0] = gapMark + "\n" + whole[0]
		}
		next := section.SizeOf(strings.Join(whole, "\n"))
		if i > 0 && !s.Page.Budget.Fits(items.Size().Plus(next).Plus(left)) {
			break
		}
		for _, item := range whole {
			items.AddBelow(g.results[0].path, []byte(item))
		}
	}
	end := s.headingEnd
	end.Total += " in " + wording.Counted(items.Paths, "file")
	return s.Finish(items, end), nil
}

// groups returns the groups of the results, in their order.
func (s *textSearch) groups() (groups []group, err error) {
	all := s.collected.lines
	for begin := 0; begin < len(all); {
		end := begin + 1
		for end < len(all) && all[end].path == all[begin].path {
			end++
		}
		of := all[begin:end]
		begin = end
		around, err := s.blocksOf(of)
		if err != nil {
			return nil, err
		}
		groups = append(groups, grouped(of, around)...)
	}
	return groups, nil
}

// blocksOf returns the blocks around the results among lines of a file, or none if they are not
// looked for in it.
func (s *textSearch) blocksOf(of []pageLine) ([]blocks.Block, error) {
	source, err := s.openBlocks(of[0])
	if source == nil || err != nil {
		return nil, err
	}
	defer source.close()
	return source.source.Blocks(s.Call.Ctx, resultNumbers(of)...)
}

// grouped puts the results of a file together that are in the same block, or in one that has the
// block of another.
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

// blockItems returns an item for each result of a group, with the lines of its block before it, and
// for the last one those after it. A block that takes too much of the page is shown around its
// results, with its signature.
func (s *textSearch) blockItems(g group, hasOthers bool) (items []string, err error) {
	most := s.Page.Budget.Minimum() - headingSize
	if hasOthers {
		most /= blockShare
	}
	all := func(int) (lineKind, bool) { return nearLine, true }
	if g.around.Lines() <= wholeLines {
		items, err = s.itemsOf(g, all)
		if err != nil || len(strings.Join(items, "\n")) <= most {
			return items, err
		}
	}
	return s.itemsOf(g, g.kindOf)
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

// itemsOf returns the items of a group with the lines of its block that are shown.
func (s *textSearch) itemsOf(g group, shown selector) (items []string, err error) {
	texts, err := s.textsOf(g, shown)
	if err != nil {
		return nil, err
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
			items = append(items, strings.Join(item, "\n"))
			item = nil
		}
		if l.number > last+1 && last >= g.around.First {
			item = append(item, gapMark)
		}
		last = l.number
		item = append(item, l.render(s.collected.cutsResults))
	}
	for _, note := range g.notes {
		item = append(item, note.text)
	}
	return append(items, strings.Join(item, "\n")), nil
}

// textsOf returns the lines of a block that are shown. Results are among them.
func (s *textSearch) textsOf(g group, shown selector) (texts []pageLine, err error) {
	if g.around.Lines() == 1 {
		return g.results, nil
	}
	source, err := s.openBlocks(g.results[0])
	if source == nil || err != nil {
		return g.results, err
	}
	defer source.close()
	c := source.source.Cursor
	if err := c.Seek(s.Call.Ctx, g.around.First); err != nil {
		return nil, err
	}
	for number := g.around.First; number <= g.around.Last; number++ {
		l, err := c.Next(s.Call.Ctx)
		if err == io.EOF {
			return g.results, nil // the file has become shorter
		}
		if err != nil {
			return nil, err
		}
		kind, ok := shown(number)
		if !ok {
			continue
		}
		text := toValidUTF8(l.Text[:min(len(l.Text), s.maxLine)])
		if len(l.Text) > s.maxLine {
			place := fmt.Sprintf("%s:%d", g.results[0].path, number)
			text += " [line cut; " + wording.Tool(s.Call.Ctx, "read_file") + " " +
				wording.StringArgument(s.Call.Ctx, "path", place) + "]"
		}
		texts = append(texts, pageLine{kind: kind, number: number, excerpt: excerpt{text: text}})
	}
	return texts, nil
}
