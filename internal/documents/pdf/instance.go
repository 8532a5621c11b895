package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"gander/internal/admission"
	"gander/internal/documents"
)

// An instance is PDFium with a memory of its own and an open file.
type instance struct {
	ctx    context.Context
	module api.Module
	memory *memory
	file   uint64 // PDFium's handle of the document
	read   int    // pages that it has read
	stop   func() bool
	err    error // after which no call is made
}

// open makes an instance, which opens the file.
func (d *document) open(ctx context.Context) error {
	i := &instance{memory: &memory{ctx: ctx, fault: &d.fault, buffer: d.buffer}}
	i.ctx = experimental.WithMemoryAllocator(context.WithValue(ctx, fileKey{}, d), i.memory)
	d.instance = i
	i.stop = context.AfterFunc(ctx, i.memory.stop)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	i.module, i.err = d.program.runtime.InstantiateModule(i.ctx, d.program.module, config)
	i.call("FPDF_InitLibrary")
	parameter := i.call("malloc", 4)
	access := i.call("FPDF_FILEACCESS_Create", uint64(uint32(d.src.Size())), parameter)
	i.file = i.call("FPDF_LoadCustomDocument", access, 0)
	if i.err == nil && i.file == 0 {
		i.err = loadError(i.call("FPDF_GetLastError"))
	}
	pages := i.call("FPDF_GetPageCount", i.file)
	if i.err == nil {
		d.pages = int(int32(pages))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var known *documents.Error
	switch {
	case errors.As(i.err, &known):
		return known
	case i.memory.refused:
		return documents.TooLargef("%v", errMemory)
	case i.err != nil:
		return documents.Invalidf("PDFium fails")
	}
	return nil
}

// loadError returns the error for a code of PDFium.
func loadError(code uint64) error {
	const password, security = 4, 5
	switch code {
	case password, security:
		return documents.ErrEncrypted
	}
	return documents.Invalidf("its structure cannot be read")
}

// close frees the instance.
func (d *document) close() {
	i := d.instance
	if i == nil {
		return
	}
	d.instance = nil
	i.stop()
	if i.module != nil {
		i.module.Close(context.Background())
	}
	i.memory.Free()
}

// call calls a function of PDFium, unless a call before it has failed.
func (i *instance) call(name string, arguments ...uint64) uint64 {
	if i.err != nil {
		return 0
	}
	results, err := i.module.ExportedFunction(name).Call(i.ctx, arguments...)
	i.err = err
	if err != nil || len(results) == 0 {
		return 0
	}
	return results[0]
}

// validTable reports whether the table of the objects in the file can be used as it is.
func (i *instance) validTable() bool {
	return i.call("FPDF_DocumentHasValidCrossReferenceTable", i.file) != 0
}

// text writes the text of page n.
func (d *document) text(n int) error {
	i := d.instance
	i.read++
	page := i.page(n)
	if i.err == nil && page == 0 {
		return i.problem(errDamaged)
	}
	text := i.call("FPDFText_LoadPage", page)
	chars := i.call("FPDFText_CountChars", text)
	if i.err == nil && (text == 0 || int32(chars) < 0) {
		return i.problem(errDamaged)
	}
	buffer := i.call("malloc", 2*chars+2)
	units := i.call("FPDFText_GetText", text, 0, chars, buffer)
	if err := i.problem(nil); err != nil {
		return err
	}
	b, ok := i.module.Memory().Read(uint32(buffer), uint32(units)*2)
	if !ok || buffer == 0 {
		return errDamaged
	}
	if !d.lines(n, b) {
		d.textless++
		if d.written || d.w.First() > 1 {
			d.flush(n + 1)
		}
	}
	i.call("free", buffer)
	i.call("FPDFText_ClosePage", text)
	i.call("FPDF_ClosePage", page)
	return nil
}

// page returns PDFium's handle of page n, or 0. What fields of forms and notes show becomes part of
// the page, whose text would not contain it otherwise.
func (i *instance) page(n int) uint64 {
	const (
		forDisplay = 0
		flattened  = 1
	)
	page := i.call("FPDF_LoadPage", i.file, uint64(n-1))
	if page == 0 || i.call("FPDFPage_GetAnnotCount", page) == 0 ||
		i.call("FPDFPage_Flatten", page, forDisplay) != flattened {
		return page
	}
	i.call("FPDF_ClosePage", page)
	return i.call("FPDF_LoadPage", i.file, uint64(n-1))
}

// problem returns why the page cannot be read, which is err if nothing else has happened.
func (i *instance) problem(err error) error {
	switch {
	case i.memory.refused:
		i.err = errMemory
	case i.err == nil:
		return err
	case i.err != errMemory:
		i.err = fmt.Errorf("PDFium fails")
	}
	return i.err
}

// A memory is the memory of an instance. It implements [experimental.MemoryAllocator] and
// [experimental.LinearMemory].
type memory struct {
	ctx     context.Context
	fault   *error // is set to why a call gets no more memory
	refused bool   // the instance needed more than maxMemory

	mu       sync.Mutex
	buffer   *buffer
	bytes    []byte // the part of the buffer that is in use
	reserved int64  // without initialMemory
	stopped  bool
}

// stopAddress is the address of a word. When it is not zero, the instance fails at the next loop or
// function call. The command release/pdfium adds this check.
const stopAddress = 16

func (m *memory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate returns nil if the instance does not get this number of bytes.
func (m *memory) Reallocate(size uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if size > maxMemory {
		m.refused = true
		return nil
	}
	if size <= uint64(len(m.bytes)) {
		return m.bytes[:size]
	}
	grown := max(size, min(maxMemory, 2*uint64(len(m.bytes))))
	more := int64(grown) - initialMemory - m.reserved
	if err := admission.Reserve(m.ctx, more); err != nil {
		*m.fault = err
		return nil
	}
	m.reserved += max(more, 0)
	used := len(m.bytes)
	if grown > uint64(len(m.buffer.bytes)) {
		m.buffer.bytes = make([]byte, grown)
		copy(m.buffer.bytes, m.bytes)
	} else {
		clear(m.buffer.bytes[used:grown])
	}
	m.bytes = m.buffer.bytes[:grown]
	m.setStop()
	return m.bytes[:size]
}

// Free implements [experimental.LinearMemory].
func (m *memory) Free() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes = nil
	admission.Release(m.ctx, m.reserved)
	m.reserved = 0
}

// stop ends what the instance does.
func (m *memory) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
	m.setStop()
}

func (m *memory) setStop() {
	if m.stopped && len(m.bytes) > 0 {
		binary.LittleEndian.PutUint32(m.bytes[stopAddress:], 1)
	}
}
