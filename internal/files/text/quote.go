package text

import "github.com/go-json-experiment/json/jsontext"

// AppendQuote appends s, which must be well-formed UTF-8, to dst as a JSON string in its shortest
// form: only the quotation mark, the backslash and the control characters below U+0020 are escaped
// (ECMA-262, QuoteJSONString).
func AppendQuote[Text ~string | ~[]byte](dst []byte, s Text) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error is about bytes that are not UTF-8
	return dst
}
