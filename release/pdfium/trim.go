package main

import "fmt"

// importCount is how many functions the module imports when it is trimmed: seal leaves one.
const importCount = 1

// trim removes all exports of functions except those in names, and the code of functions that
// nothing can call anymore. The others trap, so that no index changes.
func trim(m *module, names []string) error {
	roots, err := trimExports(m, names)
	if err != nil {
		return err
	}
	kept, err := reachable(m, roots)
	if err != nil {
		return err
	}
	for i := range m.functions {
		if !kept[i+importCount] {
			m.functions[i] = function{[]byte{0, opUnreachable, opEnd}, 1}
		}
	}
	return nil
}

// reachable reports for each function, by its index, whether it can be called: it is one of the
// roots, called by one that can be called, or called by a pointer that the data or such a function
// contains.
func reachable(m *module, roots []uint64) ([]bool, error) {
	pointers, err := m.pointers()
	if err != nil {
		return nil, err
	}
	data, err := m.data()
	if err != nil {
		return nil, err
	}
	pending := roots
	for _, word := range words(data) {
		pending = append(pending, pointers[word]...)
	}
	reached := make([]bool, importCount+len(m.functions))
	for len(pending) > 0 {
		index := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if reached[index] {
			continue
		}
		reached[index] = true
		if index < importCount {
			continue
		}
		f := m.functions[index-importCount]
		code, err := f.instructions()
		if err != nil {
			return nil, err
		}
		for _, i := range code {
			if i.op == opCall {
				pending = append(pending, i.index)
			}
			for _, word := range f.constants(i) {
				pending = append(pending, pointers[word]...)
			}
		}
	}
	return reached, nil
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
