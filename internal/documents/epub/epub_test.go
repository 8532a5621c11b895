package epub

import (
	"strings"
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestEPUB(t *testing.T) {
	const mark = "# part 1: a b.xhtml\n"
	officefiles.Run(t, Format, "a.epub", []officefiles.Form{
		{
			Name:    "paragraphs and line breaks",
			Content: officefiles.EPUB("<h2>H</h2><p>a<br/>b <b>c</b>\n d</p>"),
			Want:    mark + "\n## H\n\na\nb c d\n",
		},
		{
			Name: "a head without an end",
			Content: officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
				"a.opf", `<package><item id="a" href="a.xhtml" media-type="text/html"/><itemref idref="a"/></package>`,
				"a.xhtml", "<html><head><title>T</title><body><p>Text</p></body></html>"),
			Want: "# part 1: a.xhtml\n\nText\n",
		},
		{
			Name: "parts that are images, have no entry, or are not listed",
			Content: officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="o/a.opf"/></container>`,
				"o/a.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>`+
					`<item id="b" href="b.svg" media-type="image/svg+xml"/><item id="c" href="c.xhtml" media-type="text/html"/>`+
					`<item id="d" href="d.jpg" media-type="image/jpeg"/></manifest>`+
					`<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/><itemref idref="e"/></spine></package>`,
				"o/a.xhtml", "Text", "o/b.svg", "<svg/>", "o/d.jpg", ""),
			Want: "# part 1: b.svg\n[image/svg+xml]\n\n# part 2: a.xhtml\nText\n\n" +
				"# part 3: c.xhtml\n(this part is missing in the file)\n",
		},
		{
			Name:    "a script with a comment that does not end",
			Content: officefiles.EPUB("<p>a</p><script><!-- x()</script><p>b</p>"),
			Want:    mark + "\na\n\nb\n",
		},
		{
			Name: "no parts",
			Content: officefiles.Archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
				"a.opf", "<package/>"),
			Want: "(no parts)\n",
		},
		{
			Name:    "lists that begin with 0 and with a negative number",
			Content: officefiles.EPUB("<ol start='0'><li>a</li></ol><ol start='-1'><li>b</li><li>c</li><li>d</li></ol><ol start='x'><li>e</li></ol>"),
			Want:    mark + "0. a\n\n-1. b\n0. c\n1. d\n\n1. e\n",
		},
		{
			Name: "items with numbers of their own, and without text",
			Content: officefiles.EPUB("<ol><li value='10'>a</li><li/><li><ol><li>b</li></ol></li><li>c</li></ol>" +
				"<ol><li><table><tr><td>d</td></tr></table></li><li>e</li></ol>"),
			Want: mark + "10. a\n  1. b\n13. c\n\nd\n\n2. e\n",
		},
		{
			Name:    "a heading with blocks",
			Content: officefiles.EPUB("<h1><div>Title</div><div>two</div></h1><h2><div/></h2><p>x</p>"),
			Want:    mark + "\n# Title\ntwo\n\nx\n",
		},
		{
			Name:    "a list in a list",
			Content: officefiles.EPUB("<ul><li><p>x</p><ol start='3'><li>y</li></ol></li></ul>"),
			Want:    mark + "- x\n  3. y\n",
		},
		{
			Name:    "text with its line ends",
			Content: officefiles.EPUB("<pre>1\n  2\n</pre>"),
			Want:    mark + "\n1\n  2\n",
		},
		{
			Name:    "a table and an image",
			Content: officefiles.EPUB("<table><tr><td>a<p>b</p></td><td>c</td></tr></table><img alt='map'/>"),
			Want:    mark + "\na b\tc\n\n[image: map]\n",
		},
		{
			Name: "a table in a table",
			Content: officefiles.EPUB("<table><tr><td>x<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td>" +
				"<td>d</td></tr></table>"),
			Want: mark + "\nx a b c\td\n",
		},
		{
			Name:    "headings of two lines, and a pronunciation",
			Content: officefiles.EPUB("<h1>Chapter 1<br/>Start</h1><h2><br/>X</h2><ruby>k<rt>r</rt></ruby>"),
			Want:    mark + "\n# Chapter 1 Start\n\n## X\n\nk\n",
		},
		{
			Name:    "an image in the text",
			Content: officefiles.EPUB("a<img src='data:" + strings.Repeat("x", 70<<10) + "' alt='map'/>b"),
			Want:    mark + "a[image: map]b\n",
		},
		{
			Name:    "paragraphs without ends",
			Content: officefiles.EPUB(strings.Repeat("<p>c", 300)),
			Want:    mark + strings.Repeat("\nc\n", 300),
		},
		{
			Name:    "attributes without values, and values without quotes",
			Content: officefiles.EPUB("<ol reversed start='5'><li>x</li></ol><img hidden alt='map'/><img class=x alt=q /><img alt=z/>"),
			Want:    mark + "5. x\n\n[image: map][image: q][image: z]\n",
		},
		{
			Name: "a script with less-than signs",
			Content: officefiles.EPUB("<p>a</p><script>if (a < b) {} for (i=0; i<n; i++) {}</script><p>b</p>" +
				"<script><![CDATA[ '</p>' ]]></script><p>c</p>"),
			Want: mark + "\na\n\nb\n\nc\n",
		},
		{
			Name: "a script with tags in texts, and a style sheet with a less-than sign",
			Content: officefiles.EPUB("<div><script>x='</div>'; y()</script><p>a</p></div>" +
				"<script>document.write('<!x')</script><style>/* a<b */</style><p>b</p>"),
			Want: mark + "\na\n\nb\n",
		},
		{
			Name:    "text with less-than signs",
			Content: officefiles.EPUB("<p>1 < 2 <b>&lt;</b> 3, <4 <</p>"),
			Want:    mark + "\n1 < 2 < 3, <4 <\n",
		},
		{
			Name: "links, scripts, hidden text and a formula",
			Content: officefiles.EPUB(`<p>10<sup>6</sup> <a href="https://a.example/">page</a> <a href="ch2.xhtml">next</a>` +
				`<span style="display: none"> secret</span></p><p>so <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></p>`),
			Want: mark + "\n10^6 page (https://a.example/) next (hidden) secret\n\nso a/b\n",
		},
		{
			Name: "merged cells, and letters of a list",
			Content: officefiles.EPUB(`<table><tr><td rowspan="2">tall</td><td colspan="2">wide</td></tr>` +
				`<tr><td>a</td><td>b</td></tr></table><ol type="a"><li>x</li><li>y</li></ol>`),
			Want: mark + "\ntall [2 rows]\twide [2 columns]\n\ta\tb\n\na. x\nb. y\n",
		},
	})
}
