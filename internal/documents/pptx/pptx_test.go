package pptx

import (
	"fmt"
	"strings"
	"testing"

	"gander/internal/testkit/officefiles"
)

// pptxShape returns a shape, which can fill a placeholder, with paragraphs.
func pptxShape(placeholder, paragraphs string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr>` + placeholder + "</p:nvPr></p:nvSpPr><p:txBody>" +
		paragraphs + "</p:txBody></p:sp>"
}

// pptxText returns a paragraph with a text.
func pptxText(text string) string { return "<a:p><a:r><a:t>" + text + "</a:t></a:r></a:p>" }

func TestPPTX(t *testing.T) {
	const title, body, number = `<p:ph type="title"/>`, `<p:ph idx="1"/>`, `<p:ph type="sldNum"/>`
	run := officefiles.Runner(t, Format, "a.pptx")
	run("a title, a body of two levels, and other shapes",
		officefiles.PPTX("<p:sld>"+pptxShape("", pptxText("first"))+
			pptxShape(title, pptxText("Two")+pptxText("lines"))+
			pptxShape(body, pptxText("a")+"<a:p><a:pPr lvl='1'/><a:r><a:t>b</a:t></a:r></a:p>")+
			pptxShape(number, pptxText("7"))+"</p:sld>"),
		"# slide 1: Two lines\nfirst\n- a\n  - b\n")
	run("hidden slides",
		officefiles.PPTX("<p:sld show='0'>"+pptxShape("", pptxText("x"))+"</p:sld>", "<p:sld show='false'/>"),
		"# slide 1 (hidden)\nx\n\n# slide 2 (hidden)\n(no text)\n")
	run("a title that is too long for a mark",
		officefiles.PPTX("<p:sld>"+pptxShape(title, pptxText(strings.Repeat("t", 201)))+"</p:sld>"),
		"# slide 1\n"+strings.Repeat("t", 201)+"\n")
	run("a title and a table",
		officefiles.PPTX(pptxShape(title, pptxText("T"))+"<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>"+
			pptxText("cell")+"</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>"),
		"# slide 1: T\ncell\n")
	run("what is not text", officefiles.PPTX(`<p:sld>
				<p:pic><p:cNvPr descr="a map"/><p:blipFill><a:blip/></p:blipFill></p:pic>
				<p:graphicFrame><p:cNvPr/><c:chart/></p:graphicFrame>
				<p:graphicFrame><p:cNvPr descr="steps"/><dgm:relIds/></p:graphicFrame>
				<p:graphicFrame><p:cNvPr/><p:oleObj/></p:graphicFrame>
			</p:sld>`),
		"# slide 1\n[image: a map]\n[chart]\n[diagram: steps]\n[object]\n")
	run("a slide that is missing", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", "<p:presentation><p:sldIdLst><p:sldId r:id='x'/></p:sldIdLst></p:presentation>"),
		"# slide 1\n(this slide is missing in the file)\n")
	run("a slide that is missing, in a package that has notes", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml", "n", "notesSlide", "n.xml"),
		"n.xml", "<p:notes>"+pptxShape(body, pptxText("n"))+"</p:notes>",
		"ppt/presentation.xml", "<p:presentation><p:sldIdLst><p:sldId r:id='x'/></p:sldIdLst></p:presentation>"),
		"# slide 1\n(this slide is missing in the file)\n")
	at := func(y string) string {
		return "<p:spPr><a:xfrm><a:off x='1' y='" + y + "'/><a:ext cx='9' cy='9'/></a:xfrm></p:spPr>"
	}
	place := func(index, y string) string {
		return "<p:sp><p:nvSpPr><p:cNvPr id='1'/><p:nvPr><p:ph idx='" + index + "'/></p:nvPr></p:nvSpPr>" +
			at(y) + "</p:sp>"
	}
	run("the order that a layout gives, behind a group in it", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", "<p:presentation><p:sldId r:id='x'/></p:presentation>",
		"ppt/_rels/presentation.xml.rels", officefiles.Related("x", "slide", "s.xml"),
		"ppt/s.xml", "<p:sld>"+pptxShape(`<p:ph idx="1"/>`, pptxText("low"))+
			pptxShape(`<p:ph idx="2"/>`, pptxText("high"))+"</p:sld>",
		"ppt/_rels/s.xml.rels", officefiles.Related("l", "slideLayout", "l.xml"),
		"ppt/l.xml", "<p:sldLayout><p:grpSp>"+place("3", "1")+"</p:grpSp>"+
			place("1", "5000000")+place("2", "1000")+"</p:sldLayout>"),
		"# slide 1\n- high\n- low\n")
	run("notes of a space", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", "<p:presentation><p:sldId r:id='x'/></p:presentation>",
		"ppt/_rels/presentation.xml.rels", officefiles.Related("x", "slide", "s.xml"),
		"ppt/s.xml", "<p:sld/>",
		"ppt/_rels/s.xml.rels", officefiles.Related("n", "notesSlide", "n.xml"),
		"ppt/n.xml", "<p:notes>"+pptxShape(body, pptxText(" "))+"</p:notes>"),
		"# slide 1\n(no text)\n")
	run("notes that are missing", officefiles.Archive(
		"_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", "<p:presentation><p:sldId r:id='x'/></p:presentation>",
		"ppt/_rels/presentation.xml.rels", officefiles.Related("x", "slide", "s.xml"),
		"ppt/s.xml", "<p:sld>"+pptxShape("", pptxText("text"))+"</p:sld>",
		"ppt/_rels/s.xml.rels", officefiles.Related("n", "notesSlide", "n.xml")),
		"# slide 1\ntext\n(the notes of this slide are missing in the file)\n")
	run("shapes in the order of reading, and a hidden one", officefiles.PPTX("<p:sld>"+
		placed("right", 100, 10, "")+placed("below", 0, 900, "")+placed("left", 0, 0, "")+
		placed("secret", 0, 2000, ` hidden="1"`)+"</p:sld>"),
		"# slide 1\nleft\nright\nbelow\n(hidden) secret\n")
	run("numbers, scripts and merged cells",
		officefiles.PPTX(`<p:sld><p:sp><p:ph type="body"/><p:txBody>`+
			`<a:p><a:pPr><a:buAutoNum type="romanLcParenBoth" startAt="3"/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>`+
			`<a:p><a:pPr><a:buAutoNum type="romanLcParenBoth"/></a:pPr><a:r><a:t>10</a:t></a:r>`+
			`<a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r></a:p>`+
			`<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>y</a:t></a:r></a:p>`+
			`</p:txBody></p:sp><a:tbl><a:tr><a:tc gridSpan="2"><a:t>wide</a:t></a:tc><a:tc hMerge="1"/></a:tr></a:tbl></p:sld>`),
		"# slide 1\n(iii) x\n(iv) 10^6\n1. y\nwide [2 columns]\n")
	run("comments, a link and a diagram",
		officefiles.Archive("_rels/.rels", officefiles.Related("m", "officeDocument", "ppt/presentation.xml"),
			"ppt/presentation.xml", `<p:presentation><p:sldId r:id="s"/></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", officefiles.Related("s", "slide", "s.xml", "a", "commentAuthors", "a.xml"),
			"ppt/a.xml", `<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>`,
			"ppt/s.xml", `<p:sld><p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick r:id="h"/></a:rPr><a:t>page</a:t></a:r></a:p>`+
				`</p:txBody></p:sp><p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame></p:sld>`,
			"ppt/_rels/s.xml.rels", `<Relationships><Relationship Id="h" Type="x/hyperlink" Target="https://a.example/" `+
				`TargetMode="External"/><Relationship Id="d" Type="x/diagramData" Target="d.xml"/>`+
				`<Relationship Id="c" Type="x/comments" Target="c.xml"/></Relationships>`,
			"ppt/d.xml", `<dgm:dataModel><dgm:t><a:p><a:r><a:t>step</a:t></a:r></a:p></dgm:t></dgm:dataModel>`,
			"ppt/c.xml", `<p:cmLst><p:cm authorId="0"><p:text>look</p:text></p:cm></p:cmLst>`),
		"# slide 1\npage (https://a.example/)\n[diagram]\n- step\ncomments:\n[comment] Ann: look\n")
}

// placed returns a shape with a text at a place.
func placed(text string, x, y int, attributes string) string {
	return fmt.Sprintf(`<p:sp><p:cNvPr id="1"%s/><a:xfrm><a:off x="%d" y="%d"/><a:ext cx="90" cy="100"/></a:xfrm>`+
		`<p:txBody><a:p><a:r><a:t>%s</a:t></a:r></a:p></p:txBody></p:sp>`, attributes, x, y, text)
}
