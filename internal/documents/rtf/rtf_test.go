package rtf

import (
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestRTF(t *testing.T) {
	document := func(content string) []byte { return []byte(`{\rtf1\ansi\ansicpg1252\deff0 ` + content + `}`) }
	run := officefiles.Runner(t, Format, "a.rtf")
	run("paragraphs and characters", document(`Gr\'fc\'dfe \u8364? and \{x\}\par a\line b\tab c\~d\emdash\par`), "Grüße € and {x}\n\na\nb\tc\u00a0d—\n")
	run("a code page of a font", document(`{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f0 x\f1 \'cf\'f0\'e8\f0 y`), "xПриy\n")
	run("what is no text", document(`{\info{\title T}}{\*\generator G;}{\colortbl;\red0;}{\pict\wmetafile8 0102}{\*\unknown u}x`), "[image]x\n")
	run("a picture in two forms", document(`{\*\shppict{\pict 00}}{\nonshppict{\pict 00}}x`), "[image]x\n")
	run("a link", document(`{\field{\*\fldinst{HYPERLINK "https://example.org/"}}{\fldrslt{the page}}} x`), "the page (https://example.org/) x\n")
	run("a field", document(`{\field{\*\fldinst PAGE}{\fldrslt 7}}`), "7\n")
	run("scripts and hidden text", document(`10{\super 6} and {\v secret} seen`), "10^6 and (hidden) secret (visible)  seen\n")
	run("a table", document(`\pard\intbl a\cell b\par c\cell\row\pard\intbl d\cell e\cell\row\pard x\par`), "a\tb c\nd\te\n\nx\n")
	run("labels of lists", document(`\pard{\listtext\pard 3.1\tab}Payment\par{\listtext\'b7\tab}point\par`), "3.1 Payment\n- point\n")
	run("notes, headers and footers", document(`{\header ACME\par}{\footer p. 1\par}x{\footnote {\super 1} N\par}\par`), "header: ACME\n\nfooter: p. 1\n\nx[note: ^1 N ]\n")
	run("binary data", document(`{\pict\bin4 }}}}}y`), "[image]y\n")
	run("a character in two units", document(`\u-10179?\u-8704?`), "😀\n")
	run("deleted text", document(`a{\deleted b}c`), "ac\n\n(deleted text of tracked changes is left out)\n")
	run("a formula", document(`a {\*\moMath{\mr x}} b`), "a [formula] b\n")
	run("no end", []byte(`{\rtf1 x`), "x\nerror: a.rtf is not a valid document: it ends early\n")
}
