package epub

import (
	"strings"
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestEPUB(t *testing.T) {
	const mark = "# part 1: a b.xhtml\n"
	run := officefiles.Runner(t, Format, "a.epub")
	run("paragraphs and line breaks", officefiles.EPUB("<h2>H</h2><p>a<br/>b <b>c</b>\n d</p>"),
		mark+"\n## H\n\na\nb c d\n")
	run("a head without an end",
		officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
			"a.opf", `<package><item id="a" href="a.xhtml" media-type="text/html"/><itemref idref="a"/></package>`,
			"a.xhtml", "<html><head><title>T</title><body><p>Text</p></body></html>"),
		"# part 1: a.xhtml\n\nText\n")
	run("parts that are images, have no entry, or are not listed",
		officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="o/a.opf"/></container>`,
			"o/a.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>`+
				`<item id="b" href="b.svg" media-type="image/svg+xml"/><item id="c" href="c.xhtml" media-type="text/html"/>`+
				`<item id="d" href="d.jpg" media-type="image/jpeg"/></manifest>`+
				`<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/><itemref idref="e"/></spine></package>`,
			"o/a.xhtml", "Text", "o/b.svg", "<svg/>", "o/d.jpg", ""),
		"# part 1: b.svg\n[image/svg+xml]\n\n# part 2: a.xhtml\nText\n\n"+
			"# part 3: c.xhtml\n(this part is missing in the file)\n")
	run("a script with a comment that does not end",
		officefiles.EPUB("<p>a</p><script><!-- x()</script><p>b</p>"),
		mark+"\na\n\nb\n")
	run("no parts",
		officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
			"a.opf", "<package/>"),
		"(no parts)\n")
	run("lists that begin with 0 and with a negative number",
		officefiles.EPUB("<ol start='0'><li>a</li></ol><ol start='-1'><li>b</li><li>c</li><li>d</li></ol><ol start='x'><li>e</li></ol>"),
		mark+"0. a\n\n-1. b\n0. c\n1. d\n\n1. e\n")
	run("items with numbers of their own, and without text",
		officefiles.EPUB("<ol><li value='10'>a</li><li/><li><ol><li>b</li></ol></li><li>c</li></ol>"+
			"<ol><li><table><tr><td>d</td></tr></table></li><li>e</li></ol>"),
		mark+"10. a\n  1. b\n13. c\n\nd\n\n2. e\n")
	run("a heading with blocks",
		officefiles.EPUB("<h1><div>Title</div><div>two</div></h1><h2><div/></h2><p>x</p>"),
		mark+"\n# Title\ntwo\n\nx\n")
	run("a list in a list",
		officefiles.EPUB("<ul><li><p>x</p><ol start='3'><li>y</li></ol></li></ul>"),
		mark+"- x\n  3. y\n")
	run("text with its line ends", officefiles.EPUB("<pre>1\n  2\n</pre>"), mark+"\n1\n  2\n")
	run("a table and an image",
		officefiles.EPUB("<table><tr><td>a<p>b</p></td><td>c</td></tr></table><img alt='map'/>"),
		mark+"\na b\tc\n\n[image: map]\n")
	run("a table in a table",
		officefiles.EPUB("<table><tr><td>x<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td>"+
			"<td>d</td></tr></table>"),
		mark+"\nx a b c\td\n")
	run("headings of two lines, and a pronunciation",
		officefiles.EPUB("<h1>Chapter 1<br/>Start</h1><h2><br/>X</h2><ruby>k<rt>r</rt></ruby>"),
		mark+"\n# Chapter 1 Start\n\n## X\n\nk\n")
	run("an image in the text",
		officefiles.EPUB("a<img src='data:"+strings.Repeat("x", 70<<10)+"' alt='map'/>b"),
		mark+"a[image: map]b\n")
	run("paragraphs without ends", officefiles.EPUB(strings.Repeat("<p>c", 300)),
		mark+strings.Repeat("\nc\n", 300))
	run("attributes without values, and values without quotes",
		officefiles.EPUB("<ol reversed start='5'><li>x</li></ol><img hidden alt='map'/><img class=x alt=q /><img alt=z/>"),
		mark+"5. x\n\n[image: map][image: q][image: z]\n")
	run("a script with less-than signs",
		officefiles.EPUB("<p>a</p><script>if (a < b) {} for (i=0; i<n; i++) {}</script><p>b</p>"+
			"<script><![CDATA[ '</p>' ]]></script><p>c</p>"),
		mark+"\na\n\nb\n\nc\n")
	run("a script with tags in texts, and a style sheet with a less-than sign",
		officefiles.EPUB("<div><script>x='</div>'; y()</script><p>a</p></div>"+
			"<script>document.write('<!x')</script><style>/* a<b */</style><p>b</p>"),
		mark+"\na\n\nb\n")
	run("text with less-than signs", officefiles.EPUB("<p>1 < 2 <b>&lt;</b> 3, <4 <</p>"),
		mark+"\n1 < 2 < 3, <4 <\n")
	run("links, scripts, hidden text and a formula",
		officefiles.EPUB(`<p>10<sup>6</sup> <a href="https://a.example/">page</a> <a href="ch2.xhtml">next</a>`+
			`<span style="display: none"> secret</span></p><p>so <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>`),
		mark+"\n10^6 page (https://a.example/) next (hidden) secret\n\nso a/b\n")
	run("merged cells, and letters of a list",
		officefiles.EPUB(`<table><tr><td rowspan="2">tall</td><td colspan="2">wide</td></tr>`+
			`<tr><td>a</td><td>b</td></tr></table><ol type="a"><li>x</li><li>y</li></ol>`),
		mark+"\ntall [2 rows]\twide [2 columns]\n\ta\tb\n\na. x\nb. y\n")
}
