package xlsx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"gander/internal/documents"
	"gander/internal/documents/markup"
	"gander/internal/documents/ooxml"
	"gander/internal/documents/sheet"
)

// Limits of a stringTable.
const (
	maxStringBytes = 16 << 20
	maxStrings     = 1 << 20
)

// A stringTable contains the strings of a workbook, to which cells refer by number, as far as its
// limits permit. It takes little more memory than the strings: it consists of groups, and each group
// is in one block, as strings after their lengths.
type stringTable struct {
	blocks [][]byte
	groups []position
	count  int
	bytes  int
	full   bool
}

// A position is where a group begins.
type position struct{ block, offset int }

const (
	groupSize = 16        // strings of a group
	blockSize = 256 << 10 // bytes from which on a block gets no other group
)

func (t *stringTable) read(src *documents.Source, p *ooxml.Package, part string) error {
	const step = 1 << 20 // the first bytes are part of what every document has
	reserved := step
	var current sheet.Buffer
	return p.Scan(part, func(s *markup.Scanner) error {
		switch {
		case s.Piece == markup.Start && s.Name == "rPh": // how a text is pronounced
			s.Skip()
		case s.Piece == markup.End && s.Name == "si":
			t.add(unescaped(current.Bytes))
			current.Reset()
			if t.bytes > reserved && !t.full {
				reserved += step
				return src.Reserve(step)
			}
		case s.Piece == markup.Text && s.Parent(0) == "t":
			return current.Add(s.Text)
		}
		return nil
	})
}

func (t *stringTable) add(text []byte) {
	t.bytes += len(text)
	t.full = t.full || t.count == maxStrings || t.bytes > maxStringBytes
	if t.full {
		return
	}
	last := len(t.blocks) - 1
	if t.count%groupSize == 0 {
		if last < 0 || len(t.blocks[last]) >= blockSize {
			t.blocks = append(t.blocks, nil)
			last++
		}
		t.groups = append(t.groups, position{last, len(t.blocks[last])})
	}
	block := binary.AppendUvarint(t.blocks[last], uint64(len(text)))
	t.blocks[last] = append(block, text...)
	t.count++
}

// text returns the string with a number.
func (t *stringTable) text(number []byte) []byte {
	n, err := strconv.Atoi(string(number))
	if err != nil || n < 0 || n >= t.count {
		return fmt.Appendf(nil, "[string %s]", number)
	}
	at := t.groups[n/groupSize]
	rest := t.blocks[at.block][at.offset:]
	for i := 0; ; i++ {
		length, size := binary.Uvarint(rest)
		text := rest[size:][:length]
		if i == n%groupSize {
			return text
		}
		rest = rest[size+len(text):]
	}
}

// unescaped returns a string with the characters that XML cannot contain, or that stand for such
// ones: "_x000D_" is a carriage return.
func unescaped(b []byte) []byte {
	if !bytes.Contains(b, []byte("_x")) {
		return b
	}
	return escape.ReplaceAllFunc(b, func(sequence []byte) []byte {
		digits := string(sequence[len("_x"):len("_x000D")])
		code, _ := strconv.ParseUint(digits, 16, 16)
		return utf8.AppendRune(nil, rune(code))
	})
}

var escape = regexp.MustCompile("_x[0-9A-Fa-f]{4}_")
