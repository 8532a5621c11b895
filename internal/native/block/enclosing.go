package block

import (
	"regexp"
	"unicode"
	"unicode/utf8"
)

// statements matches lines that begin with a word but begin no definition: control statements, and
// the access labels of C++.
var statements = regexp.MustCompile(`^(?:if|for|while|else|try|with|do|switch)\b|` +
	`^(?:public|private|protected)\s*:`)

// enclosing returns the line that begins the innermost definition of a function, a test or a
// section around a line, or of anything that is not indented. It returns -1 if there is none.
func (b blockLines) enclosing(at int) int {
	begin := b.above(at)
	for begin >= 0 && !b[begin].defines {
		l := b[begin]
		first, _ := utf8.DecodeRuneInString(l.content)
		isWord := first == '_' || unicode.IsLetter(first)
		if l.indent == 0 && isWord && !statements.MatchString(l.content) {
			break
		}
		begin = b.above(begin)
	}
	return begin
}
