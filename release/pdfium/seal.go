package main

import (
	"fmt"
	"slices"
)

// sealed returns the code of an imported function that the program defines instead, so that the
// system cannot be reached. Nearly all trap.
func sealed(name string) []byte {
	const unknownFile, unsupported = 8, 52
	switch name {
	case "fd_prestat_get": // there are no files
		return []byte{0, opConst, unknownFile, opEnd}
	case "environ_sizes_get": // and no environment
		return []byte{0, opConst, unsupported, opEnd}
	case "clock_time_get": // the clock always says 0: a profile of colors needs the time it was made
		const result = 2
		return []byte{
			0, opLocalGet, result, opConst64, 0, opStore64, 3, 0, opConst, 0, opEnd,
		}
	case "emscripten_notify_memory_growth":
		return []byte{0, opEnd}
	}
	return []byte{0, opUnreachable, opEnd}
}

// seal replaces all imported functions except one with functions of the module. The remaining one
// gets the index 0, and those before it get the next index, so that all others keep theirs.
func seal(m *module, remaining string) error {
	imports, err := m.imports()
	if err != nil {
		return err
	}
	first := slices.IndexFunc(imports, func(i imported) bool { return i.name == remaining })
	if first < 0 || first >= 0x7f {
		return fmt.Errorf("no import %s", remaining)
	}
	if err := renumberFunctions(m, uint64(first)); err != nil {
		return err
	}
	m.section(sectionImports).body = append([]byte{1}, imports[first].encoded...)
	var types []uint64
	var code []function
	for _, i := range slices.Delete(imports, first, first+1) {
		types = append(types, i.functionType)
		code = append(code, function{sealed(i.name), 1})
	}
	if err := prependTypes(m, types); err != nil {
		return err
	}
	m.functions = append(code, m.functions...)
	return nil
}

// renumberFunctions changes the indices of the functions up to first, wherever one is called.
func renumberFunctions(m *module, first uint64) error {
	for _, f := range m.functions {
		code, err := f.instructions()
		if err != nil {
			return err
		}
		for _, i := range code {
			if i.op == opCall {
				renumber(f.code[i.start+1:], i.index, first)
			}
		}
	}
	table, err := m.table()
	if err != nil {
		return err
	}
	for _, e := range table {
		renumber(e.encoded, e.function, first)
	}
	return nil
}

// prependTypes adds the types of functions before those that the module defines.
func prependTypes(m *module, types []uint64) error {
	s := m.section(sectionFunctions)
	r := reader{bytes: s.body}
	count := r.unsigned()
	rest := slices.Clone(r.bytes[r.at:])
	s.body = appendUnsigned(nil, count+uint64(len(types)))
	for _, t := range types {
		s.body = appendUnsigned(s.body, t)
	}
	s.body = append(s.body, rest...)
	return r.err
}

// renumber changes the encoded index of a function that was imported before first, or is first.
func renumber(encoded []byte, index, first uint64) {
	switch {
	case index > first:
		return
	case index == first:
		index = 0
	default:
		index++
	}
	more := encoded[0] & 0x80 // compilers leave room for larger numbers
	encoded[0] = byte(index) | more
}
