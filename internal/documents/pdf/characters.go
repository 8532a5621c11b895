package pdf

import (
	"math"
	"unicode"

	"github.com/tetratelabs/wazero/api"
)

// A character is one of a page, with its place. If the page or the text is turned, so are the
// coordinates: a line runs along them, and the lines above it have higher ones.
type character struct {
	c           rune
	hyphen      bool // at the end of a line; the rest of the word follows
	left, right float64
	base        float64 // the height of the line on which it stands
	size        float64 // the height of its font
	turn        int     // quarter turns
	target      string  // of a link whose text ends with the character
	hidden      bool    // something else shows what it means
}

// isVisible reports whether a character has a place.
func (c *character) isVisible() bool { return !unicode.IsSpace(c.c) }

// maxCharacters is how many characters are arranged at a time.
const maxCharacters = 1 << 16

// layout returns the rows of page n.
func (i *instance) layout(n int) (*layout, error) {
	count, annotations, err := i.openPage(n)
	if err != nil {
		return nil, err
	}
	isCut := len(annotations) > 0 && count > maxCharacters
	l := &layout{partial: isCut || len(annotations) == maxAnnotations}
	for begin := 0; begin == 0 || begin < count; begin += maxCharacters {
		var chars []character
		for at := begin; at < min(count, begin+maxCharacters) && i.err == nil; at++ {
			chars = append(chars, i.character(at))
		}
		if begin == 0 {
			chars = annotate(chars, annotations)
		}
		for _, c := range chars {
			l.add(c)
		}
		l.arrange()
	}
	return l, i.failure()
}

// character returns a character of the open page.
func (i *instance) character(at int) character {
	index := uint64(at)
	c := character{c: rune(int32(i.call("FPDFText_GetUnicode", i.textPage, index)))}
	const noHyphen = 'A' // and all after it but the soft hyphen
	if c.c < noHyphen || c.c == 0xad || c.c == 0xfffe {
		c.hyphen = int32(i.call("FPDFText_IsHyphen", i.textPage, index)) == 1
	}
	if c.c == 0 || c.c == 0xfffe {
		c.c = '\ufffd'
	}
	if c.hyphen || !c.isVisible() {
		return c
	}
	box := i.results
	i.call("FPDFText_GetLooseCharBox", i.textPage, index, box)
	left, top := i.float(box), i.float(box+4)
	right, bottom := i.float(box+8), i.float(box+12)
	i.call("FPDFText_GetCharOrigin", i.textPage, index, box, box+8)
	x, y := i.double(box), i.double(box+8)
	angle := float64(api.DecodeF32(i.call("FPDFText_GetCharAngle", i.textPage, index)))
	c.turn = int(math.Round(finite(angle)/(math.Pi/2))) & 3
	c.left, c.right, c.base, c.size = left, right, y, top-bottom
	switch c.turn { // clockwise
	case 3:
		c.left, c.right, c.base, c.size = bottom, top, -x, right-left
	case 2:
		c.left, c.right, c.base = -right, -left, -y
	case 1:
		c.left, c.right, c.base, c.size = -top, -bottom, x, right-left
	}
	c.size = max(c.size, 1)
	return c
}

func (i *instance) float(address uint64) float64 {
	f, _ := i.module.Memory().ReadFloat32Le(uint32(address))
	return finite(float64(f))
}

func (i *instance) double(address uint64) float64 {
	f, _ := i.module.Memory().ReadFloat64Le(uint32(address))
	return finite(f)
}

// finite returns a coordinate, which a file can make anything, as one of a real page.
func finite(f float64) float64 {
	const most = 1e6
	if math.IsNaN(f) {
		return 0
	}
	return min(max(f, -most), most)
}
