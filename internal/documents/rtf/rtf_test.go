package rtf

import (
	"testing"

	"gander/internal/testkit/officefiles"
)

func TestRTF(t *testing.T) {
	document := func(content string) []byte { return []byte(`{\rtf1\ansi\ansicpg1252\deff0 ` + content + `}`) }
	officefiles.Run(t, Format, "a.rtf", []officefiles.Form{
		{Name: "paragraphs and characters", Content: document(`Gr\'fc\'dfe \u8364? and \{x\}\par a\line b\tab c\~d\emdash\par`), Want: "Grüße € and {x}\n\na\nb\tc\u00a0d—\n"},
		{Name: "a code page of a font", Content: document(`{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f0 x\f1 \'cf\'f0\'e8\f0 y`), Want: "xПриy\n"},
		{Name: "what is no text", Content: document(`{\info{\title T}}{\*\generator G;}{\colortbl;\red0;}{\pict\wmetafile8 0102}{\*\unknown u}x`), Want: "[image]x\n"},
		{Name: "a picture in two forms", Content: document(`{\*\shppict{\pict 00}}{\nonshppict{\pict 00}}x`), Want: "[image]x\n"},
		{Name: "a link", Content: document(`{\field{\*\fldinst{HYPERLINK "https://example.org/"}}{\fldrslt{the page}}} x`), Want: "the page (https://example.org/) x\n"},
		{Name: "a field", Content: document(`{\field{\*\fldinst PAGE}{\fldrslt 7}}`), Want: "7\n"},
		{Name: "scripts and hidden text", Content: document(`10{\super 6} and {\v secret} seen`), Want: "10^6 and (hidden) secret (visible)  seen\n"},
		{Name: "a table", Content: document(`\pard\intbl a\cell b\par c\cell\row\pard\intbl d\cell e\cell\row\pard x\par`), Want: "a\tb c\nd\te\n\nx\n"},
		{Name: "labels of lists", Content: document(`\pard{\listtext\pard 3.1\tab}Payment\par{\listtext\'b7\tab}point\par`), Want: "3.1 Payment\n- point\n"},
		{Name: "notes, headers and footers", Content: document(`{\header ACME\par}{\footer p. 1\par}x{\footnote {\super 1} N\par}\par`), Want: "header: ACME\n\nfooter: p. 1\n\nx[note: ^1 N ]\n"},
		{Name: "binary data", Content: document(`{\pict\bin4 }}}}}y`), Want: "[image]y\n"},
		{Name: "a character in two units", Content: document(`\u-10179?\u-8704?`), Want: "😀\n"},
		{Name: "deleted text", Content: document(`a{\deleted b}c`), Want: "ac\n\n(deleted text of tracked changes is left out)\n"},
		{Name: "a formula", Content: document(`a {\*\moMath{\mr x}} b`), Want: "a [formula] b\n"},
		{Name: "no end", Content: []byte(`{\rtf1 x`), Want: "x\nerror: a.rtf is not a valid document: it ends early\n"},
	})
}
