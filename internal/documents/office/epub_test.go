package office

import (
	"strings"
	"testing"
)

func TestEPUB(t *testing.T) {
	const mark = "# part 1: a b.xhtml\n"
	for _, tt := range []formTest{
		{
			name:    "paragraphs and line breaks",
			content: epubOf("<h2>H</h2><p>a<br/>b <b>c</b>\n d</p>"),
			want:    mark + "\n## H\n\na\nb c d\n",
		},
		{
			name: "a head without an end",
			content: archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
				"a.opf", `<package><item id="a" href="a.xhtml" media-type="text/html"/><itemref idref="a"/></package>`,
				"a.xhtml", "<html><head><title>T</title><body><p>Text</p></body></html>"),
			want: "# part 1: a.xhtml\n\nText\n",
		},
		{
			name: "parts that are images, have no entry, or are not listed",
			content: archive("META-INF/container.xml", `<container><rootfile full-path="o/a.opf"/></container>`,
				"o/a.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>`+
					`<item id="b" href="b.svg" media-type="image/svg+xml"/><item id="c" href="c.xhtml" media-type="text/html"/>`+
					`<item id="d" href="d.jpg" media-type="image/jpeg"/></manifest>`+
					`<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/><itemref idref="e"/></spine></package>`,
				"o/a.xhtml", "Text", "o/b.svg", "<svg/>", "o/d.jpg", ""),
			want: "# part 1: b.svg\n[image/svg+xml]\n\n# part 2: a.xhtml\nText\n\n" +
				"# part 3: c.xhtml\n(this part is missing in the file)\n",
		},
		{
			name:    "a script with a comment that does not end",
			content: epubOf("<p>a</p><script><!-- x()</script><p>b</p>"),
			want:    mark + "\na\n\nb\n",
		},
		{
			name: "no parts",
			content: archive("META-INF/container.xml", `<container><rootfile full-path="a.opf"/></container>`,
				"a.opf", "<package/>"),
			want: "(no parts)\n",
		},
		{
			name:    "lists that begin with 0 and with a negative number",
			content: epubOf("<ol start='0'><li>a</li></ol><ol start='-1'><li>b</li><li>c</li><li>d</li></ol><ol start='x'><li>e</li></ol>"),
			want:    mark + "0. a\n\n-1. b\n0. c\n1. d\n\n1. e\n",
		},
		{
			name: "items with numbers of their own, and without text",
			content: epubOf("<ol><li value='10'>a</li><li/><li><ol><li>b</li></ol></li><li>c</li></ol>" +
				"<ol><li><table><tr><td>d</td></tr></table></li><li>e</li></ol>"),
			want: mark + "10. a\n  1. b\n13. c\n\nd\n\n2. e\n",
		},
		{
			name:    "a heading with blocks",
			content: epubOf("<h1><div>Title</div><div>two</div></h1><h2><div/></h2><p>x</p>"),
			want:    mark + "\n# Title\ntwo\n\nx\n",
		},
		{
			name:    "a list in a list",
			content: epubOf("<ul><li><p>x</p><ol start='3'><li>y</li></ol></li></ul>"),
			want:    mark + "- x\n  3. y\n",
		},
		{
			name:    "text with its line ends",
			content: epubOf("<pre>1\n  2\n</pre>"),
			want:    mark + "\n1\n  2\n",
		},
		{
			name:    "a table and an image",
			content: epubOf("<table><tr><td>a<p>b</p></td><td>c</td></tr></table><img alt='map'/>"),
			want:    mark + "\na b\tc\n\n[image: map]\n",
		},
		{
			name: "a table in a table",
			content: epubOf("<table><tr><td>x<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td>" +
				"<td>d</td></tr></table>"),
			want: mark + "\nx a b c\td\n",
		},
		{
			name:    "headings of two lines, and a pronunciation",
			content: epubOf("<h1>Chapter 1<br/>Start</h1><h2><br/>X</h2><ruby>k<rt>r</rt></ruby>"),
			want:    mark + "\n# Chapter 1 Start\n\n## X\n\nk\n",
		},
		{
			name:    "an image in the text",
			content: epubOf("a<img src='data:" + strings.Repeat("x", 70<<10) + "' alt='map'/>b"),
			want:    mark + "a[image: map]b\n",
		},
		{
			name:    "paragraphs without ends",
			content: epubOf(strings.Repeat("<p>c", 300)),
			want:    mark + strings.Repeat("\nc\n", 300),
		},
		{
			name:    "attributes without values, and values without quotes",
			content: epubOf("<ol reversed start='5'><li>x</li></ol><img hidden alt='map'/><img class=x alt=q /><img alt=z/>"),
			want:    mark + "5. x\n\n[image: map][image: q][image: z]\n",
		},
		{
			name: "a script with less-than signs",
			content: epubOf("<p>a</p><script>if (a < b) {} for (i=0; i<n; i++) {}</script><p>b</p>" +
				"<script><![CDATA[ '</p>' ]]></script><p>c</p>"),
			want: mark + "\na\n\nb\n\nc\n",
		},
		{
			name: "a script with tags in texts, and a style sheet with a less-than sign",
			content: epubOf("<div><script>x='</div>'; y()</script><p>a</p></div>" +
				"<script>document.write('<!x')</script><style>/* a<b */</style><p>b</p>"),
			want: mark + "\na\n\nb\n",
		},
		{
			name:    "text with less-than signs",
			content: epubOf("<p>1 < 2 <b>&lt;</b> 3, <4 <</p>"),
			want:    mark + "\n1 < 2 < 3, <4 <\n",
		},
	} {
		tt.run(t, "a.epub")
	}
}
