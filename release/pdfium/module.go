package main

import (
	"bytes"
	"cmp"
	"fmt"
)

// A module is a WebAssembly module as a sequence of sections. The code section is decoded.
type module struct {
	sections  []section
	functions []function // those that the module defines
}

type section struct {
	id   byte
	body []byte
}

// The sections that the recipe reads.
const (
	sectionImports   = 2
	sectionFunctions = 3
	sectionMemory    = 5
	sectionGlobals   = 6
	sectionExports   = 7
	sectionElements  = 9
	sectionCode      = 10
	sectionData      = 11
)

const header = "\x00asm\x01\x00\x00\x00"

func parse(wasm []byte) (*module, error) {
	if !bytes.HasPrefix(wasm, []byte(header)) {
		return nil, fmt.Errorf("not a WebAssembly module")
	}
	m := new(module)
	r := reader{bytes: wasm, at: len(header)}
	for r.err == nil && r.at < len(wasm) {
		id := r.byte()
		m.sections = append(m.sections, section{id, r.next(r.unsigned())})
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, m.parseFunctions()
}

func (m *module) encode() []byte {
	wasm := []byte(header)
	for _, s := range m.sections {
		if s.id == sectionCode {
			s.body = encodeFunctions(m.functions)
		}
		wasm = append(wasm, s.id)
		wasm = appendUnsigned(wasm, uint64(len(s.body)))
		wasm = append(wasm, s.body...)
	}
	return wasm
}

// section returns the section with an ID.
func (m *module) section(id byte) *section {
	for i := range m.sections {
		if m.sections[i].id == id {
			return &m.sections[i]
		}
	}
	return new(section)
}

// An imported function is one that the module takes from its host.
type imported struct {
	name         string
	functionType uint64
	encoded      []byte // the import in the module
}

// imports returns the imports, all of which must be functions.
func (m *module) imports() ([]imported, error) {
	r := reader{bytes: m.section(sectionImports).body}
	var all []imported
	for range r.unsigned() {
		begin := r.at
		r.next(r.unsigned()) // the name of the host's module
		i := imported{name: string(r.next(r.unsigned()))}
		if kind := r.byte(); kind != 0 {
			r.fail("import %s is not a function", i.name)
		}
		i.functionType = r.unsigned()
		i.encoded = r.bytes[begin:r.at]
		all = append(all, i)
	}
	return all, r.err
}

// A function is the code of a function: the declarations of its locals, then instructions.
type function struct {
	code   []byte
	locals int // the length of the declarations
}

// parseFunctions sets m.functions from the code section, if there is one.
func (m *module) parseFunctions() error {
	body := m.section(sectionCode).body
	if len(body) == 0 {
		return nil
	}
	r := reader{bytes: body}
	for range r.unsigned() {
		f := reader{bytes: r.next(r.unsigned())}
		for range f.unsigned() {
			f.unsigned()
			f.byte()
		}
		if r.err != nil || f.err != nil {
			return cmp.Or(r.err, f.err)
		}
		m.functions = append(m.functions, function{f.bytes, f.at})
	}
	return r.err
}

func encodeFunctions(all []function) []byte {
	body := appendUnsigned(nil, uint64(len(all)))
	for _, f := range all {
		body = appendUnsigned(body, uint64(len(f.code)))
		body = append(body, f.code...)
	}
	return body
}

// A reader reads the binary format. After an error, it returns zeros.
type reader struct {
	bytes []byte
	at    int
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("offset %d: "+format, append([]any{r.at}, args...)...)
	}
	r.at = len(r.bytes)
}

func (r *reader) byte() byte {
	if r.at >= len(r.bytes) {
		r.fail("unexpected end")
		return 0
	}
	r.at++
	return r.bytes[r.at-1]
}

func (r *reader) skip(n int) { r.next(uint64(n)) }

func (r *reader) next(n uint64) []byte {
	if n > uint64(len(r.bytes)-r.at) {
		r.fail("unexpected end")
		return nil
	}
	r.at += int(n)
	return r.bytes[r.at-int(n) : r.at]
}

// unsigned reads an integer in LEB128.
func (r *reader) unsigned() uint64 {
	var n uint64
	for shift := 0; ; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
}

// signed reads a signed integer in LEB128.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; ; {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			return n << (64 - min(shift, 64)) >> (64 - min(shift, 64))
		}
	}
}

func appendUnsigned(b []byte, n uint64) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func appendSigned(b []byte, n int64) []byte {
	for n < -0x40 || n >= 0x40 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n)&0x7f)
}

// An element is a function that can be called by a pointer.
type element struct {
	pointer  int64
	function uint64
	encoded  []byte // the index of the function in the module
}

// table returns the functions that can be called by pointers.
func (m *module) table() ([]element, error) {
	r := reader{bytes: m.section(sectionElements).body}
	var all []element
	for range r.unsigned() {
		begin := r.offset()
		for i := range r.unsigned() {
			e := element{pointer: begin + int64(i)}
			at := r.at
			e.function = r.unsigned()
			e.encoded = r.bytes[at:r.at]
			all = append(all, e)
		}
	}
	return all, r.err
}

// data returns the initial contents of the memory.
func (m *module) data() ([]byte, error) {
	r := reader{bytes: m.section(sectionData).body}
	var data []byte
	for range r.unsigned() {
		begin := r.offset()
		part := r.next(r.unsigned())
		if begin < int64(len(data)) {
			r.fail("data out of order")
			break
		}
		data = append(data, make([]byte, begin-int64(len(data)))...)
		data = append(data, part...)
	}
	return data, r.err
}

// offset reads where a part of the table or the data begins.
func (r *reader) offset() int64 {
	if kind := r.unsigned(); kind != 0 {
		r.fail("a part of kind %d", kind)
	}
	if r.byte() != opConst {
		r.fail("the begin of a part is not constant")
	}
	begin := r.signed()
	if r.byte() != opEnd {
		r.fail("the begin of a part is not constant")
	}
	return begin
}
