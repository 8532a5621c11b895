package pdf

import (
	"cmp"
	"context"
	"encoding/binary"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"gander/internal/admission"
	"gander/internal/documents"
)

// An instance is PDFium with a memory of its own and an open file.
type instance struct {
	ctx     context.Context // for the calls, which carries the instance and its memory
	src     documents.File
	readErr error // an error of reading src
	module  api.Module
	memory  *memory
	stop    func() bool
	err     error // after which no call is made

	file  uint64 // PDFium's handle of the document
	pages int

	pagesRead int
	page      uint64 // PDFium's handle of the page that was read last
	textPage  uint64 // its handle of the text of that page
	results   uint64 // the address of results of a call
	form      uint64 // PDFium's handle of the form, or 0 before a value is looked up in it
}

// newInstance makes an instance, which opens a file. The error is an *Error, or one of ctx, reading
// the file, or reserving memory.
func newInstance(
	ctx context.Context, p *program, src documents.File, b bounds,
) (*instance, error) {
	i := &instance{src: src, memory: &memory{ctx: ctx, bounds: b}}
	i.ctx = experimental.WithMemoryAllocator(context.WithValue(ctx, instanceKey{}, i), i.memory)
	i.stop = context.AfterFunc(ctx, i.memory.stop)
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	i.module, i.err = p.runtime.InstantiateModule(i.ctx, p.module, config)
	if err := i.open(); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

func (i *instance) open() error {
	i.call("FPDF_InitLibrary")
	parameter := i.call("malloc", 4)
	i.results = i.call("malloc", 32)
	access := i.call("FPDF_FILEACCESS_Create", uint64(uint32(i.src.Size())), parameter)
	i.file = i.call("FPDF_LoadCustomDocument", access, 0)
	code := i.call("FPDF_GetLastError")
	i.pages = int(int32(i.call("FPDF_GetPageCount", i.file)))
	const password, security = 4, 5
	err := i.failure()
	switch {
	case err == errMemory:
		return documents.TooLargef("%v", err)
	case err == errPDFium:
		return documents.Invalidf("%v", err)
	case err != nil:
		return err
	case i.file == 0 && (code == password || code == security):
		return documents.ErrEncrypted
	case i.file == 0:
		return documents.Invalidf("its structure cannot be read")
	case i.pages <= 0:
		return documents.Invalidf("it has no pages")
	}
	return nil
}

// failure returns why calls have failed, or nil. An error of ctx, of reading, or of reserving
// memory comes first, because it says nothing about the file.
func (i *instance) failure() error {
	err := cmp.Or(i.ctx.Err(), i.readErr, i.memory.err)
	switch {
	case err != nil:
		return err
	case i.memory.refused:
		return errMemory
	case i.err != nil:
		return errPDFium
	}
	return nil
}

func (i *instance) close() {
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

// openPage opens page n and returns the number of its characters, and what they do not show.
func (i *instance) openPage(n int) (int, []annotation, error) {
	i.call("FPDFText_ClosePage", i.textPage)
	i.call("FPDF_ClosePage", i.page)
	i.pagesRead++
	i.page = i.call("FPDF_LoadPage", i.file, uint64(n-1))
	annotations := i.annotations()
	i.flatten(n)
	i.textPage = i.call("FPDFText_LoadPage", i.page)
	count := int32(i.call("FPDFText_CountChars", i.textPage))
	if i.textPage == 0 || count < 0 {
		return 0, nil, cmp.Or(i.failure(), errDamaged)
	}
	return int(count), annotations, i.failure()
}

// flatten makes what fields of forms and notes show a part of page n, which is open. Its text would
// not contain it otherwise.
func (i *instance) flatten(n int) {
	const (
		forDisplay = 0
		flattened  = 1
	)
	if i.call("FPDFPage_GetAnnotCount", i.page) == 0 ||
		i.call("FPDFPage_Flatten", i.page, forDisplay) != flattened {
		return
	}
	i.call("FPDF_ClosePage", i.page)
	i.page = i.call("FPDF_LoadPage", i.file, uint64(n-1))
}

// A memory is the memory of an instance. It implements [experimental.MemoryAllocator] and
// [experimental.LinearMemory].
type memory struct {
	ctx     context.Context // of the call whose memory is reserved
	bounds  bounds
	refused bool  // the instance needed more than its limit
	err     error // why no more memory is reserved

	mu       sync.Mutex
	bytes    []byte // more than the instance has, so that it need not be copied whenever it grows
	reserved int64  // in addition to that of the bounds
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
	if size > uint64(m.bounds.limit) {
		m.refused = true
		return nil
	}
	if size <= uint64(len(m.bytes)) {
		return m.bytes[:size]
	}
	grown := min(m.bounds.limit, max(int64(size), 2*int64(len(m.bytes)), forText.reserved))
	more := grown - m.bounds.reserved - m.reserved
	if err := admission.Reserve(m.ctx, more); err != nil {
		m.err = err
		return nil
	}
	m.reserved += max(more, 0)
	bytes := make([]byte, grown)
	copy(bytes, m.bytes)
	m.bytes = bytes
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

// stop ends the work of the instance.
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
