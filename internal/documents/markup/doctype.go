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
			skipped, err := s.skipAside()
			if err != nil {
				return err
			}
			if !skipped {
				open++
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

// skipAside removes the rest of a comment or of an instruction whose "<" has been read. It reports
// whether there is one.
func (s *Scanner) skipAside() (bool, error) {
	b, _ := s.r.Peek(len("!--"))
	switch {
	case string(b) == "!--":
		s.discard(len(b))
		return true, s.skipTo("-->")
	case bytes.HasPrefix(b, []byte("?")):
		return true, s.skipTo("?>")
	}
	return false, nil
}
