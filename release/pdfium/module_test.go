package main

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"gander/internal/testkit/fixture"
)

// Instructions of the small module that only the test needs.
const (
	opBranch   = 0x0c
	opDrop     = 0x1a
	opSubtract = 0x6b

	typeInt = 0x7f // i32
)

// top is where the stack of the small module begins: a text and a pointer are below it, from 1024
// on.
const top = 1024 + 64<<10 + 64

// small returns a module as compilers make them. Its functions, all of which return a number, are:
//
//	0 other (imported)    3 callsOther    6 byPointer
//	1 read (imported)     4 endless       7 deep: takes more than the stack
//	2 callsRead           5 unwanted      8 decodesImages, 9 unused
func small() []byte {
	body := func(instructions ...byte) function {
		return function{slices.Concat([]byte{1, 1, typeInt}, instructions, []byte{opEnd}), 3}
	}
	export := func(name string, kind, index byte) []byte {
		return append(sized([]byte(name)), kind, index)
	}
	imported := func(name string) []byte {
		return slices.Concat(sized([]byte("env")), sized([]byte(name)), []byte{0, 0})
	}
	reserve := append(appendSigned([]byte{opGlobalGet, stackPointer, opConst}, 65<<10),
		opSubtract, opLocalTee, 0, opGlobalSet, stackPointer, opLocalGet, 0)
	m := module{sections: []section{
		{1, vector([]byte{0x60, 0, 1, typeInt})},
		{sectionImports, vector(imported("other"), imported(readFile))},
		{sectionFunctions, vector(slices.Repeat([][]byte{{0}}, 8)...)},
		{4, vector([]byte{0x70, 0, 2})},
		{sectionMemory, vector([]byte{1, 9, 16})},
		{sectionGlobals, vector(append(appendSigned([]byte{typeInt, 1, opConst}, top), opEnd))},
		{sectionExports, vector(
			export("memory", 2, 0), export("callsRead", 0, 2), export("callsOther", 0, 3),
			export("endless", 0, 4), export("unwanted", 0, 5), export("deep", 0, 7),
			export("decodesImages", 0, 8),
		)},
		{sectionElements, vector([]byte{0, opConst, 1, opEnd, 1, 6})},
		{sectionCode, nil},
		{sectionData, vector(slices.Concat(
			appendSigned([]byte{0, opConst},
				1024), []byte{opEnd}, sized([]byte("\x01\x00\x00\x00"+decodesJPEG2000)),
		))},
	}, functions: []function{
		body(opCall, 1),
		body(opCall, 0),
		body(opLoop, emptyType, opBranch, 0, opEnd, opConst, 1),
		body(opCall, 9),
		body(opConst, 6),
		body(reserve...),
		body(appendSigned([]byte{opConst}, 1028)...),
		body(appendSigned([]byte{opConst}, hugeImage)...),
	}}
	return m.encode()
}

// vector returns the encoding of a list.
func vector(items ...[]byte) []byte {
	return append(appendUnsigned(nil, uint64(len(items))), slices.Concat(items...)...)
}

// sized returns data after its length.
func sized(data []byte) []byte { return append(appendUnsigned(nil, uint64(len(data))), data...) }

func TestParse(t *testing.T) {
	wasm := small()
	m, err := parse(wasm)
	if err != nil || !bytes.Equal(m.encode(), wasm) {
		t.Errorf("%v; the encoded module is another one", err)
	}
	if len(m.functions) != 8 {
		t.Fatalf("%d functions", len(m.functions))
	}
	for n := range len(wasm) {
		m, err := parse(wasm[:n])
		if err == nil && !bytes.Equal(m.encode(), wasm[:n]) {
			t.Errorf("the first %d bytes: another module and no error", n)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, n := range []int64{0, 1, 63, 64, 127, 128, 300, math.MaxInt32, math.MaxInt64} {
		r := reader{bytes: appendUnsigned(nil, uint64(n))}
		if got := r.unsigned(); got != uint64(n) || r.err != nil || r.at != len(r.bytes) {
			t.Errorf("unsigned %d: %d, %v", n, got, r.err)
		}
		for _, n := range []int64{n, -n, ^n} {
			r := reader{bytes: appendSigned(nil, n)}
			if got := r.signed(); got != n || r.err != nil || r.at != len(r.bytes) {
				t.Errorf("signed %d: %d, %v", n, got, r.err)
			}
		}
	}
}

// TestInstructions checks where instructions with operands end.
func TestInstructions(t *testing.T) {
	for _, instruction := range [][]byte{
		{opBlock, emptyType},
		{opTryTable, emptyType, 2, 0, 1, 2, 3, 4},
		{0x0e, 2, 1, 2, 3},
		{opCall, 0x80, 1},
		{opCallIndirect, 1, 0},
		{0x1c, 1, typeInt},
		{opLoad, 2, 0x80, 1},
		{opConst, 0x80, 0x7f},
		{0x44, 1, 2, 3, 4, 5, 6, 7, 8},
		{0x3f, 0},
		{0xfc, 10, 0, 0},
		{opVector, vectorConst, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
		{opVector, 84, 0, 1, 2},
		{opVector, 0xae, 1},
		{opDrop},
	} {
		code, err := function{slices.Concat([]byte{0}, instruction, []byte{opEnd}), 1}.instructions()
		if err != nil || len(code) != 2 || code[0].end != 1+len(instruction) {
			t.Errorf("%#x: %+v, %v", instruction, code, err)
		}
	}
	for _, unknown := range [][]byte{{0x06}, {0xfb}, {0xfc, 99}, {opCall}, {opCall, 0x80}} {
		_, err := function{append([]byte{0}, unknown...), 1}.instructions()
		if err == nil {
			t.Errorf("%#x: no error", unknown)
		}
	}
}

// TestReduced runs the small module after all steps.
func TestReduced(t *testing.T) {
	m, err := parse(small())
	steps := []func() error{
		func() error { return seal(m, readFile) },
		func() error { return limitImages(m) },
		func() error {
			return trim(m, []string{"memory", "callsRead", "callsOther", "endless", "deep", "decodesImages"})
		},
		func() error { return shrinkMemory(m) },
		func() error { return addChecks(m) },
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	fixture.Must(t, err)
	const fromFile = 42
	instance := start(t, m.encode(), fromFile)
	if instance.ExportedFunction("unwanted") != nil {
		t.Error("another function is exported")
	}
	if size := instance.Memory().Size(); size != 128<<10 {
		t.Errorf("the memory begins with %d bytes", size)
	}
	if got, err := call(t, instance, "callsRead"); err != nil || got != fromFile {
		t.Errorf("callsRead: %d, %v", got, err)
	}
	traps := func(name string) {
		if _, err := call(t, instance, name); err == nil {
			t.Errorf("%s does not trap", name)
		}
	}
	traps("callsOther")
	traps("deep")
	traps("decodesImages")
	instance.Memory().WriteUint32Le(stopAddress, 1)
	traps("endless")
	traps("callsRead")
	for index, isKept := range map[int]bool{5: false, 6: true, 9: false} {
		code := m.functions[index-importCount].code
		isEmpty := bytes.Equal(code, []byte{0, opUnreachable, opEnd})
		if isEmpty == isKept {
			t.Errorf("function %d is %#x", index, code)
		}
	}
}

// start starts a module whose only import returns a number.
func start(t *testing.T, wasm []byte, fromFile int32) api.Module {
	t.Helper()
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { runtime.Close(context.Background()) })
	host := runtime.NewHostModuleBuilder("env")
	host.NewFunctionBuilder().WithFunc(func() int32 { return fromFile }).Export(readFile)
	_, err := host.Instantiate(t.Context())
	fixture.Must(t, err)
	instance, err := runtime.Instantiate(t.Context(), wasm)
	fixture.Must(t, err)
	return instance
}

// call calls a function without arguments, which must end.
func call(t *testing.T, instance api.Module, name string) (uint64, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	results, err := instance.ExportedFunction(name).Call(ctx)
	if err != nil {
		return 0, err
	}
	return results[0], nil
}
