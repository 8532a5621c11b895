package markup

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/documents"
)

// pieces returns what a scanner reads: elements as (name attributes) and ), text as it is.
func pieces(r io.Reader, html bool) string {
	var b strings.Builder
	err := Scan("a.xml", r, html, new(documents.Writer), func(s *Scanner) {
		switch s.Piece {
		case Start:
			fmt.Fprintf(&b, "(%s", s.Name)
			for name, value := range s.allAttributes() {
				fmt.Fprintf(&b, " %s=%s", name, value)
			}
			b.WriteByte('|')
			if s.Name == "skip" {
				s.Skip()
			}
		case End:
			b.WriteByte(')')
		case Text:
			b.Write(s.Text)
			if !utf8.Valid(s.Text) {
				b.WriteString(" CUT ")
			}
		}
	})
	if err != nil {
		fmt.Fprintf(&b, " ERROR %v", err)
	}
	return b.String()
}

func scanText(content string, html bool, f func(s *Scanner)) error {
	return Scan("", strings.NewReader(content), html, new(documents.Writer), f)
}

func TestScan(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	for _, tt := range []struct{ in, want string }{
		{"<a/>", "(a|)"},
		{"", " ERROR is not a valid document: a.xml: it ends early"},
		{"<!-- a --> text", " text ERROR is not a valid document: a.xml: it ends early"},
		{"\ufeff<?xml version='1.0'?>\n<a>é &amp; &#x41;&nbsp;&undeclared;</a>", "\n(a|é & A\u00a0&undeclared;)"},
		{"<w:a w:x='1' y=\"2>\"  z = '3' ><b></b></w:a>", "(a w:x=1 y=2> z=3|(b|))"},
		{"<a><!-- - -- <b> ---><![CDATA[<b>]]]]><![CDATA[>&amp;]]></a>", "(a|<b>]]>&amp;)"},
		{"<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ELEMENT a (b)>]><a>&x;</a>", "(a|&x;)"},
		{"<" + long[:300] + ":a/>", "(a|)"},
		{"<a>1<skip><a>2</a><!-- </skip> --></skip>3</a>", "(a|1(skip|3)"},
		{"<a><b></a>", "(a|(b| ERROR is not a valid document: a.xml: the tags of its XML do not match"},
		{"<a>", "(a| ERROR is not a valid document: a.xml: it ends early"},
		{"<a b='", " ERROR is not a valid document: a.xml: it ends early"},
		{"<a><![CDATA[x", "(a|x ERROR is not a valid document: a.xml: it ends early"},
		{"<a><!--x", "(a| ERROR is not a valid document: a.xml: it ends early"},
		{"<!DOCTYPE", " ERROR is not a valid document: a.xml: it ends early"},
		{"<>", " ERROR is not a valid document: a.xml: it is not XML"},
		{"</a>", " ERROR is not a valid document: a.xml: the tags of its XML do not match"},
		{"<a b='" + long + "' c=\"" + long + "\" d='1'>e</a>", "(a b= c= d=1|e)"},
		{"<a b='" + long, " ERROR is not a valid document: a.xml: it ends early"},
		{"<a " + long + ">", " ERROR is too large to be read as text: a.xml: a tag of more than 64 KiB"},
		{"<!DOCTYPE " + long, " ERROR is not a valid document: a.xml: it ends early"},
		{"<!-- " + long + "--><a>" + long + "é<![CDATA[" + long + "é]]></a>", "(a|" + long + "é" + long + "é)"},
		{"<a>&" + long[:38] + "&amp;</a>", "(a|&" + long[:38] + "&)"},
		{"<a>&" + long[:39] + "漢漢</a>", "(a|&" + long[:39] + "漢漢)"},
		{
			strings.Repeat("<a>", 257),
			strings.Repeat("(a|", 256) + " ERROR is too large to be read as text: a.xml: more than 256 nested elements",
		},
	} {
		for _, r := range []io.Reader{
			strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)),
		} {
			if got := pieces(r, false); got != tt.want {
				t.Errorf("%.80q\n got %.200q\nwant %.200q", tt.in, got, tt.want)
			}
		}
	}
}

// TestWholeCharacters reads texts that are cut at each place of a character.
func TestWholeCharacters(t *testing.T) {
	text := "&y" + strings.Repeat("é", 300)
	for n := 4000; n < 4100; n++ {
		text := strings.Repeat("x", n) + text
		for _, in := range []string{"<a>" + text + "</a>", "<a><![CDATA[" + text + "]]></a>"} {
			if got := pieces(strings.NewReader(in), false); got != "(a|"+text+")" {
				t.Errorf("%.15s and %d bytes: got %q", in, n, got)
			}
		}
	}
}

func TestScanHTML(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"<P>a<br>b</p>", "(p|a(br|)b)"},
		{"<div><p>a<b>c</div>d</p></i>", "(div|(p|a(b|c)))d"},
		{"<p>a", "(p|a"},
		{"<p>1 < 2, 3<4, </>, </ p> <", "(p|1 < 2, 3<4, </>, </ p> <"},
		{"<script>i<n; '<b>'</script>a<b>", "(script|i<n; '<b>')a(b|"},
		{"<script>x='</div>'; document.write('<!x') <?</SCRIPT>a", "(script|x='</div>'; document.write('<!x') <?)a"},
		{"<x:style>/* a<b */<i></x:style>c", "(style|/* a<b */<i>)c"},
		{"<script><!-- x</script>a<style><!-- y --></style>", "(script|<!-- x)a(style|<!-- y -->)"},
		{"<html><head><title>T<body>a", "(html|(head|(title|T))(body|a"},
		{strings.Repeat("<p>a", 300), strings.Repeat("(p|a)", 299) + "(p|a"},
		{"<ul><li>a<li><p>b<ul><li>c</ul><li/></ul>", "(ul|(li|a)(li|(p|b(ul|(li|c))))(li|))"},
		{"<dl><dt>a<dd>b<dt>c</dl>", "(dl|(dt|a)(dd|b)(dt|c))"},
		{"<table><tr><td>a<th>b<tr><td><p>c</table>", "(table|(tr|(td|a)(th|b))(tr|(td|(p|c))))"},
	} {
		if got := pieces(strings.NewReader(tt.in), true); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestParent checks which elements are around a start, a text and an end.
func TestParent(t *testing.T) {
	got := ""
	err := scanText("<a><b>x</b></a>", false, func(s *Scanner) {
		got += s.Parent(0) + "," + s.Parent(1) + " "
	})
	const want = ", a, b,a a, , "
	if got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestScanUTF16(t *testing.T) {
	const in, want = "<a b='ü'>€𝄞</a>", "(a b=ü|€𝄞)"
	for _, mark := range []string{"", "\ufeff"} {
		var little, big bytes.Buffer
		for _, unit := range utf16.Encode([]rune(mark + in)) {
			little.Write([]byte{byte(unit), byte(unit >> 8)})
			big.Write([]byte{byte(unit >> 8), byte(unit)})
		}
		for _, r := range []*bytes.Buffer{&little, &big} {
			if got := pieces(r, false); got != want {
				t.Errorf("got %q", got)
			}
		}
	}
}

func TestAttributes(t *testing.T) {
	const in = `<a xmlns:id="u" id="1" r:id="2" n="70" m="-1" e="&lt;&amp;" l="99999999999999999999"/>`
	err := scanText(in, false, func(s *Scanner) {
		if s.Piece == Start {
			got := fmt.Sprint(s.Attr("id"), s.Prefixed("id"), s.Attr("e"), s.Attr("none"),
				s.Number("n", 9), s.Number("n", 99), s.Number("m", 9), s.Number("l", 9), s.Number("e", 9))
			if got != `12<&9 70 0 9 0` {
				t.Errorf("got %s", got)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestAttributesTakeLinearTime compares tags of two sizes, whose values have no quotes.
func TestAttributesTakeLinearTime(t *testing.T) {
	took := func(attributes int) time.Duration {
		in := "<a " + strings.Repeat("b=c ", attributes) + "/>"
		best := time.Hour
		for range 5 {
			err := scanText(in, true, func(s *Scanner) {
				if s.Piece == Start {
					start := time.Now()
					s.Attr("none")
					best = min(best, time.Since(start))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return best
	}
	const factor = 16
	few, many := took(1000), took(1000*factor)
	if many > 4*factor*max(few, time.Millisecond) { // which is the least that some clocks show
		t.Errorf("%v for 1,000 attributes, %v for %d times as many", few, many, factor)
	}
}

// FuzzScan checks that the pieces do not depend on how the input is read, that they are UTF-8, and
// that a skipped element does not disturb what follows.
func FuzzScan(f *testing.F) {
	f.Add([]byte("<a x='1'>&amp;é<skip><b/></skip><![CDATA[]]]]></a>"), true)
	f.Fuzz(func(t *testing.T, in []byte, html bool) {
		whole := pieces(bytes.NewReader(in), html)
		if slow := pieces(iotest.OneByteReader(bytes.NewReader(in)), html); slow != whole {
			t.Errorf("read by bytes: %q, otherwise %q", slow, whole)
		}
		if !utf8.ValidString(whole) {
			t.Errorf("not UTF-8: %q", whole)
		}
	})
}
