package main

import "fmt"

// trim removes all exports of functions except those in names, and the code of functions that
// nothing can call anymore: a function is kept if it is exported, called by one that is kept, or in
// the table of functions that are called by pointers. The others trap, so that no index changes.
// imported is the number of imported functions.
func trim(m *module, names []string, imported int) error {
	all, err := m.functions()
	if err != nil {
		return err
	}
	kept := make([]bool, len(all)+imported)
	var pending []uint64
	keep := func(index uint64) {
		if !kept[index] {
			kept[index] = true
			pending = append(pending, index)
		}
	}
	roots, err := trimExports(m, names)
	if err != nil {
		return err
	}
	table, err := m.table()
	if err != nil {
		return err
	}
	for _, index := range roots {
		keep(index)
	}
	for _, e := range table {
		keep(e.function)
	}
	for len(pending) > 0 {
		index := int(pending[len(pending)-1])
		pending = pending[:len(pending)-1]
		if index < imported {
			continue
		}
		f := all[index-imported]
		code, err := instructions(f.code, f.locals, len(f.code))
		if err != nil {
			return err
		}
		for _, i := range code {
			if i.op == opCall {
				keep(i.index)
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
