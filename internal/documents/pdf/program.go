package pdf

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

//go:embed pdfium.wasm.gz
var compressed []byte

// A program is PDFium, compiled for this processor.
type program struct {
	ready chan struct{} // closed when the fields below are set

	runtime wazero.Runtime
	module  wazero.CompiledModule
	err     error
}

// compile begins to compile PDFium in the background, because a call that waits for it can end
// earlier.
func compile() *program {
	p := &program{ready: make(chan struct{})}
	go func() {
		defer close(p.ready)
		p.err = p.load(wazero.NewRuntimeConfig())
		if p.err != nil { // the system can forbid executable memory
			p.free()
			p.err = p.load(wazero.NewRuntimeConfigInterpreter())
		}
	}()
	return p
}

// wait waits until the program is compiled, or ctx is done.
func (p *program) wait(ctx context.Context) error {
	select {
	case <-p.ready:
		return p.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close frees the program when it is compiled.
func (p *program) close() {
	<-p.ready
	p.free()
}

// free releases the memory of the program.
func (p *program) free() {
	if p.runtime != nil {
		p.runtime.Close(context.Background())
		p.runtime = nil
	}
}

func (p *program) load(config wazero.RuntimeConfig) (err error) {
	defer func() {
		// The compiler panics if it gets no executable memory.
		if e := recover(); e != nil {
			err = fmt.Errorf("PDF files cannot be read: PDFium cannot be compiled: %v", e)
		}
	}()
	wasm, err := decompress()
	if err != nil {
		return err
	}
	ctx := context.Background()
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config.
		WithCoreFeatures(api.CoreFeaturesV2|experimental.CoreFeaturesExceptionHandling).
		WithDebugInfoEnabled(false))
	host := p.runtime.NewHostModuleBuilder("env")
	host.NewFunctionBuilder().WithGoModuleFunction(
		api.GoModuleFunc(readBlock),
		[]api.ValueType{api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32, api.ValueTypeI32},
		[]api.ValueType{api.ValueTypeI32},
	).Export("FPDF_FILEACCESS_CB")
	if _, err := host.Instantiate(ctx); err != nil {
		return err
	}
	p.module, err = p.runtime.CompileModule(ctx, wasm)
	return err
}

func decompress() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(compressed[len(compressed)-4:])
	wasm := make([]byte, size)
	_, err = io.ReadFull(z, wasm)
	return wasm, err
}

// An instanceKey is the key of the instance in the context of its calls.
type instanceKey struct{}

// readBlock is the function that PDFium calls to read from the file. Its arguments are a parameter
// without a meaning here, an offset, a buffer and the size; its result is 1 for success.
func readBlock(ctx context.Context, m api.Module, stack []uint64) {
	offset, buffer, size := uint32(stack[1]), uint32(stack[2]), uint32(stack[3])
	stack[0] = 0
	i := ctx.Value(instanceKey{}).(*instance)
	b, ok := m.Memory().Read(buffer, size)
	if !ok || int64(offset)+int64(size) > i.src.Size() {
		return
	}
	n, err := i.src.ReadAt(b, int64(offset))
	if n < len(b) && !errors.Is(err, io.EOF) {
		i.readErr = err
	}
	if n == len(b) {
		stack[0] = 1
	}
}
