package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// An annotation shows the value of a form's field, or is the place of a link.
type annotation struct {
	left, bottom, right, top float64

	isBox bool   // it is ticked or not, as its value says
	value string // of a field, unless the page shows it
	url   string // of a link
}

// Bounds of what a page can have.
const (
	maxAnnotations = 512
	maxValue       = 16 << 10 // bytes of UTF-16
	maxURL         = 2048
)

// Kinds of annotations, as PDFium numbers them.
const (
	linkKind   = 2
	widgetKind = 20
)

// annotations returns those of the open page.
func (i *instance) annotations() []annotation {
	var all []annotation
	count := min(int(int32(i.call("FPDFPage_GetAnnotCount", i.page))), maxAnnotations)
	for n := range count {
		handle := i.call("FPDFPage_GetAnnot", i.page, uint64(n))
		var a annotation
		switch i.call("FPDFAnnot_GetSubtype", handle) {
		case linkKind:
			a.url = i.url(handle)
		case widgetKind:
			a = i.field(handle)
		}
		if a != (annotation{}) {
			i.call("FPDFAnnot_GetRect", handle, i.results)
			a.left, a.top = i.float(i.results), i.float(i.results+4)
			a.right, a.bottom = i.float(i.results+8), i.float(i.results+12)
			all = append(all, a)
		}
		i.call("FPDFPage_CloseAnnot", handle)
	}
	return all
}

// field returns the value of a field, unless it has an appearance, which is part of the page.
func (i *instance) field(handle uint64) annotation {
	state := i.annotationText(handle, "AS")
	switch {
	case state == "Off":
		return annotation{isBox: true, value: "[ ]"}
	case state != "":
		return annotation{isBox: true, value: "[x]"}
	}
	key := i.string("AP")
	hasAppearance := i.call("FPDFAnnot_HasKey", handle, key) != 0
	i.call("free", key)
	if hasAppearance {
		return annotation{}
	}
	value := i.annotationText(handle, "V")
	if value == "" && i.annotationText(handle, "FT") != "Btn" { // PDFium says Yes for any of these
		value = i.inheritedValue(handle)
	}
	return annotation{value: value}
}

// annotationText returns the text that an annotation has for a key.
func (i *instance) annotationText(handle uint64, key string) string {
	name := i.string(key)
	defer i.call("free", name)
	return i.text(func(buffer, size uint64) uint64 {
		return i.call("FPDFAnnot_GetStringValue", handle, name, buffer, size)
	})
}

// inheritedValue returns the value that a field has from those above it.
func (i *instance) inheritedValue(handle uint64) string {
	if i.form == 0 {
		info := i.string("\x01" + strings.Repeat("\x00", 255)) // its version, and no functions
		i.form = i.call("FPDFDOC_InitFormFillEnvironment", i.file, info)
	}
	if i.form == 0 {
		return ""
	}
	return i.text(func(buffer, size uint64) uint64 {
		return i.call("FPDFAnnot_GetFormFieldValue", i.form, handle, buffer, size)
	})
}

// text returns the text that a function of PDFium writes into a buffer. The function returns its
// size, and writes nothing if the buffer is smaller.
func (i *instance) text(read func(buffer, size uint64) uint64) string {
	size := read(0, 0)
	if size > maxValue {
		return fmt.Sprintf("[value of %d bytes]", size)
	}
	buffer := i.call("malloc", maxValue)
	defer func() { i.call("free", buffer) }()
	read(buffer, maxValue)
	var units []uint16
	for at := uint64(0); at+2 < size && buffer != 0; at += 2 {
		unit, _ := i.module.Memory().ReadUint16Le(uint32(buffer + at))
		units = append(units, unit)
	}
	return string(utf16.Decode(units))
}

// url returns the target of a link outside the document.
func (i *instance) url(handle uint64) string {
	link := i.call("FPDFAnnot_GetLink", handle)
	action := i.call("FPDFLink_GetAction", link)
	if action == 0 {
		return ""
	}
	buffer := i.call("malloc", maxURL)
	defer func() { i.call("free", buffer) }()
	size := i.call("FPDFAction_GetURIPath", i.file, action, buffer, maxURL)
	switch {
	case buffer == 0, size == 0:
		return ""
	case size > maxURL:
		return fmt.Sprintf("a URL of %d bytes", size-1)
	}
	text, _ := i.module.Memory().Read(uint32(buffer), uint32(size-1))
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// string returns the address of a string that ends with a zero.
func (i *instance) string(s string) uint64 {
	address := i.call("malloc", uint64(len(s)+1))
	if address != 0 {
		i.module.Memory().Write(uint32(address), append([]byte(s), 0))
	}
	return address
}

// contains reports whether the middle of a character is in an annotation.
func (a *annotation) contains(c *character) bool {
	x, y := (c.left+c.right)/2, c.base+c.size/4
	return c.turn == 0 && a.left <= x && x <= a.right && a.bottom <= y && y <= a.top
}

// annotate adds to the characters of a page what annotations show: values beside their labels,
// targets after the text of links. A box shows only its state.
func annotate(chars []character, annotations []annotation) []character {
	for n, a := range annotations {
		var inside strings.Builder
		last := -1
		for i := range chars {
			if c := &chars[i]; c.isVisible() && a.contains(c) {
				inside.WriteRune(c.c)
				last = i
				c.hidden = c.hidden || a.isBox
			}
		}
		switch {
		case a.value != "":
			at, base := a.label(chars)
			chars = slices.Insert(chars, at, a.characters(base)...)
		case last < 0, a.url == "", strings.Contains(a.url, inside.String()):
		case n+1 < len(annotations) && annotations[n+1].url == a.url: // the link continues
		default:
			chars[last].target = a.url
		}
	}
	return slices.DeleteFunc(chars, func(c character) bool { return c.hidden })
}

// label returns where the value of a field is inserted, and the line on which it stands: after the
// character on its left, or before that on its right.
func (a *annotation) label(chars []character) (at int, base float64) {
	at, base = len(chars), a.bottom
	found := false
	for i, c := range chars {
		isOnLine := a.bottom <= c.base+c.size/2 && c.base <= a.top
		if !c.isVisible() || c.hidden || c.turn != 0 || !isOnLine {
			continue
		}
		isLeft := (c.left+c.right)/2 < a.left
		switch {
		case isLeft && (!found || c.left >= chars[at-1].left):
			at, base, found = i+1, c.base, true
		case !isLeft && !found && at == len(chars):
			at, base = i, c.base
		}
	}
	return at, base
}

// characters returns the value of a field, all in its place.
func (a *annotation) characters(base float64) []character {
	const fontSize = 12 // a guess
	size := min(max(a.top-a.bottom, 1), fontSize)
	var all []character
	for _, c := range a.value {
		all = append(all, character{c: c, left: a.left, right: a.right, base: base, size: size})
	}
	return append(all, character{c: ' '})
}
