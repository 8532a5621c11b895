package xlsx

import (
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

// A stringTable contains the strings of a workbook, to which cells refer by number, as far as its
// limits permit. It takes little more memory than the strings: they are in blocks, each after its
// length.
type stringTable struct {
	blocks [][]byte
	starts []uint32 // by number: the index of the block times blockSize, and the offset in the block
	full   bool
}

// Limits of a stringTable.
const (
	blockSize  = 1 << 20
	maxBlocks  = 16
	maxStrings = 1 << 20
)

func (t *stringTable) read(src *documents.Source, p *ooxml.Package, part string) {
	var current sheet.Buffer
	inline := documents.Inline{Out: func(b []byte) { current.Add(p.Out, b) }}
	p.Scan(part, func(s *markup.Scanner) {
		switch {
		case s.Piece == markup.Start && s.Name == "rPh": // how a text is pronounced
			s.Skip()
		case s.Piece == markup.Start && (s.Name == "r" || s.Name == "vertAlign"):
			inline.Raise(ooxml.Scripts[s.Attr("val")])
		case s.Piece == markup.End && s.Name == "si":
			inline.End()
			p.Out.Fail(t.add(src, unescaped(current.Bytes)))
			current.Reset()
		case s.Piece == markup.Text && s.Parent(0) == "t":
			inline.Add(s.Text)
		}
	})
}

// add adds a string, unless the table is full. It reserves memory for each block, and for as many
// starts as take that much.
func (t *stringTable) add(src *documents.Source, text []byte) error {
	last := len(t.blocks) - 1
	needsBlock := last < 0 || len(t.blocks[last])+binary.MaxVarintLen32+len(text) > blockSize
	hasBlock := !needsBlock || len(t.blocks) < maxBlocks
	t.full = t.full || len(t.starts) == maxStrings || !hasBlock
	if t.full {
		return nil
	}
	if needsBlock {
		err := src.Reserve(blockSize)
		if err != nil {
			return err
		}
		t.blocks = append(t.blocks, nil)
		last++
	}
	t.starts = append(t.starts, uint32(last*blockSize+len(t.blocks[last])))
	block := binary.AppendUvarint(t.blocks[last], uint64(len(text)))
	t.blocks[last] = append(block, text...)
	const startBytes = 4
	if len(t.starts)%(blockSize/startBytes) == 0 {
		return src.Reserve(blockSize)
	}
	return nil
}

// text returns the string with a number.
func (t *stringTable) text(number []byte) []byte {
	n, err := strconv.Atoi(string(number))
	if err != nil || n < 0 || n >= len(t.starts) {
		return fmt.Appendf(nil, "[string %s]", number)
	}
	start := t.starts[n]
	rest := t.blocks[start/blockSize][start%blockSize:]
	length, size := binary.Uvarint(rest)
	return rest[size:][:length]
}

// unescaped returns a string with the characters that XML cannot contain, or that stand for such
// ones: "_x000D_" is a carriage return.
func unescaped(b []byte) []byte {
	return escape.ReplaceAllFunc(b, func(sequence []byte) []byte {
		digits := string(sequence[len("_x"):len("_x000D")])
		code, _ := strconv.ParseUint(digits, 16, 16)
		return utf8.AppendRune(nil, rune(code))
	})
}

var escape = regexp.MustCompile("_x[0-9A-Fa-f]{4}_")
