package main

import "fmt"

// stopAddress is the address of a word that PDFium does not use: its data begins at 1024.
const stopAddress = 16

// stackSize is the size of the stack, the default of PDFium's compiler.
const stackSize = 64 << 10

// addChecks adds two checks to all functions. The program ends by a trap
//
//   - soon after the word at stopAddress becomes nonzero. Whatever runs for long repeats a loop or
//     makes calls, so the check is at the beginning of each loop and of each function with a call;
//   - before its stack overwrites the data below it.
func addChecks(m *module) error {
	top, err := m.stackTop()
	if err != nil {
		return err
	}
	c := checks{
		stop: []byte{
			opConst, stopAddress, opLoad, 2, 0, // the word, aligned to 4 bytes
			opIf, emptyType, opUnreachable, opEnd,
		},
		stack: append(appendSigned([]byte{opGlobalGet, stackPointer, opConst}, top-stackSize),
			opLessUnsigned, opIf, emptyType, opUnreachable, opEnd),
	}
	for i, f := range m.functions {
		code, err := f.instructions()
		if err != nil {
			return err
		}
		m.functions[i].code = c.add(f, code)
	}
	return nil
}

// checks are the instructions of the two checks.
type checks struct {
	stop, stack []byte
}

// add returns a function with the checks.
func (c checks) add(f function, code []instruction) []byte {
	var body []byte
	calls := false
	copied := f.locals
	insert := func(at int, check []byte) {
		body = append(body, f.code[copied:at]...)
		body = append(body, check...)
		copied = at
	}
	previous := byte(opUnreachable)
	for _, i := range code {
		switch {
		case i.op == opCall, i.op == opCallIndirect:
			calls = true
		case i.op == opLoop:
			insert(i.end, c.stop)
		case i.op == opGlobalSet && i.index == stackPointer && previous == opLocalTee:
			insert(i.end, c.stack) // the function has reserved a part of the stack
		}
		previous = i.op
	}
	body = append(body, f.code[copied:]...)
	begin := append([]byte(nil), f.code[:f.locals]...)
	if calls {
		begin = append(begin, c.stop...)
	}
	return append(begin, body...)
}

// stackTop returns the initial value of the stack pointer.
func (m *module) stackTop() (int64, error) {
	r := reader{bytes: m.section(sectionGlobals).body}
	globals := r.unsigned()
	r.skip(2) // its type: a variable number of 32 bits
	if op := r.byte(); globals != 1 || op != opConst {
		return 0, fmt.Errorf("the stack pointer is not the only global variable")
	}
	return r.signed(), r.err
}

// shrinkMemory makes the memory begin with what the data and the stack need. It grows on demand.
func shrinkMemory(m *module) error {
	const page = 64 << 10
	top, err := m.stackTop()
	if err != nil {
		return err
	}
	s := m.section(sectionMemory)
	r := reader{bytes: s.body}
	memories, limited := r.unsigned(), r.byte()
	r.unsigned() // the initial number of pages
	most := r.unsigned()
	if r.err != nil || memories != 1 || limited != 1 {
		return fmt.Errorf("not one memory with a limit: %v", r.err)
	}
	s.body = appendUnsigned([]byte{1, 1}, uint64(top+page-1)/page)
	s.body = appendUnsigned(s.body, most)
	return nil
}
