package ooxml

import (
	"bytes"

	"gander/internal/documents"
	"gander/internal/documents/markup"
)

// ReadAuthors reads the authors of comments to which the main part of a package refers.
func (p *Package) ReadAuthors(relations *Relations) {
	p.authors = map[string]string{}
	for _, kind := range []string{"commentAuthors", "authors", "person"} {
		p.ScanStarts(relations.First(kind), func(s *markup.Scanner) {
			switch s.Name {
			case "cmAuthor", "author":
				p.authors[s.Attr("id")] = s.Attr("name")
			case "person":
				p.authors[s.Attr("id")] = s.Attr("displayName")
			default:
				return
			}
			p.Keep(len(s.Attr("id")) + maxAuthor)
		})
	}
}

const maxAuthor = 64 // the size of a name in general

// WriteComments writes the comments to which a part refers, each on a line with its cell, if it has
// one, and its author. Comments in threads also exist in an old form, which is left out then.
func (p *Package) WriteComments(relations *Relations) {
	parts := relations.All("threadedComment")
	if len(parts) == 0 {
		parts = relations.All("comments")
	}
	c := &comments{Package: p}
	for _, part := range parts {
		if p.Missing(part) {
			p.Out.Line([]byte("(the comments are missing in the file)"))
		}
		p.Scan(part, c.piece)
	}
}

// comments writes comments.
type comments struct {
	*Package
	listed []string // authors in the part of a sheet, by their numbers
	begun  bool     // the heading is written
	author string
	label  string // of the comment, until its first text is written
}

func (c *comments) piece(s *markup.Scanner) {
	isComment := commentNames[s.Name]
	switch s.Piece {
	case markup.Start:
		switch {
		case s.Name == "rPh" || s.Name == "extLst":
			s.Skip()
		case s.Name == "author" && len(c.listed) < 1000:
			c.listed = append(c.listed, "")
		case isComment:
			c.begin(s)
		case s.Name == "br" && c.label == "":
			c.Out.Text([]byte{' '})
		}
	case markup.End:
		switch {
		case isComment:
			c.Out.End()
		case s.Name == "p" && c.label == "":
			c.Out.Text([]byte{' '})
		}
	case markup.Text:
		last := len(c.listed) - 1
		switch parent := s.Parent(0); {
		case parent == "t" || parent == "text":
			c.add(s.Text)
		case parent == "author" && last >= 0 && len(c.listed[last]) < maxAuthor:
			c.listed[last] += string(s.Text)
		}
	}
}

// commentNames are the elements that are comments, or replies to one.
var commentNames = map[string]bool{
	"comment": true, "threadedComment": true, "cm": true, "reply": true,
}

// begin begins a comment, or a reply to one.
func (c *comments) begin(s *markup.Scanner) {
	c.Out.End()
	what := "comment"
	if s.Name == "reply" || s.Attr("parentId") != "" {
		what = "reply"
	}
	if cell := s.Attr("ref"); cell != "" {
		what += " " + cell
	}
	c.label = string(documents.Placeholder(what, "")) + " "
	name, ok := c.authors[s.Attr("authorId")+s.Attr("personId")]
	if n := s.Number("authorId", len(c.listed)); !ok && n < len(c.listed) {
		name = c.listed[n]
	}
	c.author = ""
	if name != "" {
		c.author = documents.Name(name) + ": "
	}
}

// add writes text of a comment, after what precedes its first text.
func (c *comments) add(b []byte) {
	if c.label != "" {
		if len(bytes.TrimSpace(b)) == 0 {
			return
		}
		if !c.begun {
			c.begun = true
			c.Out.Line([]byte("comments:"))
		}
		c.Out.Begin(c.label)
		c.label = ""
		c.Out.Text([]byte(c.author))
	}
	c.Out.Text(b)
}
