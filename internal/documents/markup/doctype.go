package markup

import (
	"bytes"

	"gander/internal/documents"
)

// skipDoctype removes a document type, with everything that it declares.
func (s *Scanner) skipDoctype() error {
	open, quote := 0, byte(0)
	for range maxTag {
		c, err := s.r.ReadByte()
		switch {
		case err != nil:
			return s.early(err)
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			b, _ := s.r.Peek(len("!--"))
			switch {
			case string(b) == "!--":
				err = s.skipTo("-->")
			case bytes.HasPrefix(b, []byte("?")):
				err = s.skipTo("?>")
			default:
				open++
			}
			if err != nil {
				return err
			}
		case c == '>':
			open--
			if open == 0 {
				return nil
			}
		}
	}
	return documents.TooLargef("%s: a document type of more than %d KiB", s.part, maxTag>>10)
}
