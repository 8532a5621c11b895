package main

import "encoding/binary"

// An instruction of a function. Its operands are set where the recipe needs them.
type instruction struct {
	start, end int // where it is in the code
	op         byte
	constant   int64  // the value of i32.const or i64.const
	offset     uint64 // the offset of a load or a store
	index      uint64 // the called function, the type of an indirect call, or a variable
}

const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opCall         = 0x10
	opCallIndirect = 0x11
	opTryTable     = 0x1f
	opLocalGet     = 0x20
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opLoad         = 0x28
	opStore64      = 0x37
	opConst        = 0x41
	opConst64      = 0x42
	opLessUnsigned = 0x49
	opVector       = 0xfd // followed by another number
	vectorConst    = 12

	emptyType    = 0x40 // the type of a block without a result
	stackPointer = 0    // index of the global variable
)

// instructions returns the instructions of a function.
func (f function) instructions() ([]instruction, error) {
	r := reader{bytes: f.code, at: f.locals}
	var all []instruction
	for r.at < len(f.code) {
		i := instruction{start: r.at}
		i.op = r.byte()
		r.operands(&i)
		i.end = r.at
		all = append(all, i)
	}
	return all, r.err
}

// constants returns the constants that an instruction puts on the stack, in parts of 32 bits.
func (f function) constants(i instruction) []int64 {
	switch {
	case i.op == opConst:
		return []int64{i.constant}
	case i.op == opConst64:
		return []int64{int64(int32(i.constant)), i.constant >> 32}
	case i.op == opVector && f.code[i.start+1] == vectorConst:
		return words(f.code[i.start+2 : i.end])
	}
	return nil
}

// words returns the words of 32 bits in data.
func words(data []byte) []int64 {
	var all []int64
	for ; len(data) >= 4; data = data[4:] {
		word := binary.LittleEndian.Uint32(data)
		all = append(all, int64(int32(word)))
	}
	return all
}

// operands reads the operands of an instruction.
func (r *reader) operands(i *instruction) {
	op := i.op
	switch {
	case op == opBlock, op == opLoop, op == opIf:
		r.signed() // a type
	case op == opTryTable:
		r.signed()
		for range r.unsigned() {
			if kind := r.byte(); kind < 2 {
				r.unsigned() // a tag
			}
			r.unsigned()
		}
	case op == 0x0e: // br_table
		for range r.unsigned() + 1 {
			r.unsigned()
		}
	case op == opCall:
		i.index = r.unsigned()
	case op == opCallIndirect:
		i.index = r.unsigned()
		r.unsigned()
	case op == 0x1c: // select with types
		for range r.unsigned() {
			r.byte()
		}
	case op == 0x08, op == 0x0c, op == 0x0d, op >= 0x20 && op <= 0x26, op == 0xd2:
		i.index = r.unsigned() // a tag, a label, a local, a global, a table or a function
	case op >= opLoad && op <= 0x3e:
		i.offset = r.memory()
	case op == opConst, op == opConst64:
		i.constant = r.signed()
	case op == 0x43: // f32.const
		r.skip(4)
	case op == 0x44: // f64.const
		r.skip(8)
	case op == 0x3f, op == 0x40, op == 0xd0: // memory.size, memory.grow, ref.null
		r.byte()
	case op == 0xfc:
		r.bulk()
	case op == opVector:
		r.vector(i)
	case op > 0xc4, op > 0x11 && op < 0x1a, op == 0x06, op == 0x07, op == 0x09:
		r.fail("unknown instruction %#x", op)
	}
}

// memory reads the alignment and the offset of a memory access, and returns the offset.
func (r *reader) memory() uint64 {
	if alignment := r.unsigned(); alignment >= 64 {
		r.fail("several memories")
	}
	return r.unsigned()
}

// bulk reads the operands of instructions on memories, tables and saturating conversions.
func (r *reader) bulk() {
	op := r.unsigned()
	switch op {
	case 0, 1, 2, 3, 4, 5, 6, 7:
	case 9, 11, 13, 15, 16, 17:
		r.unsigned()
	case 8, 10, 12, 14:
		r.unsigned()
		r.unsigned()
	default:
		r.fail("unknown instruction 0xfc %d", op)
	}
}

// vector reads the operands of an instruction on vectors.
func (r *reader) vector(i *instruction) {
	op := r.unsigned()
	switch {
	case op <= 11, op == 92, op == 93:
		i.offset = r.memory()
	case op == vectorConst, op == 13:
		r.skip(16)
	case op >= 21 && op <= 34:
		r.byte()
	case op >= 84 && op <= 91:
		i.offset = r.memory()
		r.byte()
	}
}
