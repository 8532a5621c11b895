package main

import "fmt"

// trim removes all exports of functions except those in names, and the code of functions that
// nothing can call anymore. The others trap, so that no index changes. imported is the number of
// imported functions.
//
// A function is kept if it is exported, called by one that is kept, or called by a pointer that the
// data or a function that is kept contains.
func trim(m *module, names []string, imported int) error {
	pending, err := trimExports(m, names)
	if err != nil {
		return err
	}
	all, err := m.functions()
	if err != nil {
		return err
	}
	pointers, err := m.pointers()
	if err != nil {
		return err
	}
	data, err := m.data()
	if err != nil {
		return err
	}
	for _, word := range words(data) {
		pending = append(pending, pointers[word]...)
	}
	kept := make([]bool, imported+len(all))
	for len(pending) > 0 {
		index := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if kept[index] {
			continue
		}
		kept[index] = true
		if index < uint64(imported) {
			continue
		}
		f := all[index-uint64(imported)]
		code, err := f.instructions()
		if err != nil {
			return err
		}
		for _, i := range code {
			if i.op == opCall {
				pending = append(pending, i.index)
			}
			for _, word := range f.words(i) {
				pending = append(pending, pointers[word]...)
			}
		}
	}
	for i := range all {
		if !kept[i+imported] {
			all[i] = function{[]byte{0, opUnreachable, opEnd}, 1}
		}
	}
	m.setFunctions(all)
	return nil
}

// pointers returns the functions that can be called by each pointer.
func (m *module) pointers() (map[int64][]uint64, error) {
	table, err := m.table()
	pointers := make(map[int64][]uint64)
	for _, e := range table {
		pointers[e.pointer] = append(pointers[e.pointer], e.function)
	}
	return pointers, err
}

// trimExports removes the exports of functions that are not in names, and returns the functions of
// the others.
func trimExports(m *module, names []string) ([]uint64, error) {
	wanted := make(map[string]bool)
	for _, name := range names {
		wanted[name] = true
	}
	s := m.section(sectionExports)
	r := reader{bytes: s.body}
	var roots []uint64
	var body []byte
	exports := uint64(0)
	for range r.unsigned() {
		begin := r.at
		name := string(r.next(r.unsigned()))
		kind := r.byte()
		index := r.unsigned()
		if !wanted[name] {
			continue
		}
		delete(wanted, name)
		body = append(body, r.bytes[begin:r.at]...)
		exports++
		if kind == 0 {
			roots = append(roots, index)
		}
	}
	s.body = append(appendUnsigned(nil, exports), body...)
	for name := range wanted {
		return nil, fmt.Errorf("no export %s", name)
	}
	return roots, r.err
}
