// Command pdfium makes the WebAssembly module with which gander reads PDF files. It takes PDFium as
// the module go-pdfium contains it, and changes it in steps that do not change the text of a file:
//
//   - Functions that neither reading text nor drawing a page calls are removed.
//   - Images of JPEG 2000 cannot be drawn, and one of more than 28 MB is drawn from some of its pixels.
//   - Everything that it imports from its host traps or is constant, except the function that reads
//     the file.
//   - Its memory begins with what it needs, and it traps before its stack overwrites data.
//   - At each loop and each function, it checks whether it should stop.
//
// Usage:
//
//	go run ./release/pdfium            # writes the module
//	go run ./release/pdfium -check     # compares the module with what this command makes
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	// source and its checksum, as in go.sum. It is no module of go.mod: gander links nothing of it.
	source    = "github.com/klippa-app/go-pdfium@v1.20.0"
	sourceSum = "h1:cK4fkjUznvJRysfXp+F2f11pBLvzY6ma2zWWwnlUwpw="

	target = "internal/documents/pdf/pdfium.wasm.gz"

	// The function by which PDFium reads the file.
	readFile = "FPDF_FILEACCESS_CB"
)

// exports are the names that package pdf uses.
var exports = []string{
	"memory", "_initialize", "malloc", "FPDF_InitLibrary", "FPDF_GetLastError",
	"FPDF_FILEACCESS_Create", "FPDF_LoadCustomDocument", "FPDF_GetPageCount",
	"FPDF_DocumentHasValidCrossReferenceTable",
	"FPDFPage_GetAnnotCount", "FPDFPage_Flatten",
	"FPDF_LoadPage", "FPDF_ClosePage", "FPDFText_LoadPage", "FPDFText_ClosePage",
	"FPDFText_CountChars", "FPDFText_GetUnicode", "FPDFText_IsHyphen", "FPDFText_GetCharOrigin",
	"FPDFText_GetLooseCharBox", "FPDFText_GetCharAngle", "free",
	"FPDFPage_GetAnnot", "FPDFPage_CloseAnnot", "FPDFAnnot_GetSubtype", "FPDFAnnot_GetRect",
	"FPDFAnnot_GetStringValue", "FPDFAnnot_HasKey", "FPDFAnnot_GetLink", "FPDFLink_GetAction",
	"FPDFAction_GetURIPath", "FPDFDOC_InitFormFillEnvironment", "FPDFAnnot_GetFormFieldValue",
	"FPDF_GetPageWidthF", "FPDF_GetPageHeightF", "FPDFBitmap_CreateEx", "FPDFBitmap_FillRect",
	"FPDFBitmap_GetBuffer", "FPDF_RenderPageBitmap",
}

func main() {
	check := flag.Bool("check", false, "compare the module instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	original, err := download()
	if err != nil {
		return err
	}
	wasm, err := reduce(original)
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	if !check {
		return write(wasm)
	}
	kept, err := read()
	if err == nil && !bytes.Equal(kept, wasm) {
		err = fmt.Errorf("%s is not what this command makes; run it without -check", target)
	}
	if err == nil {
		fmt.Printf("%s: %d bytes, made from %d of %s\n", target, len(wasm), len(original), source)
	}
	return err
}

// download returns PDFium from the module go-pdfium, which the go command checks.
func download() ([]byte, error) {
	cmd := exec.Command("go", "mod", "download", "-json", source)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download %s: %w\n%s", source, err, out)
	}
	var downloaded struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &downloaded); err != nil {
		return nil, err
	}
	if downloaded.Sum != sourceSum {
		return nil, fmt.Errorf("%s has the checksum %s instead of %s",
			source, downloaded.Sum, sourceSum)
	}
	return os.ReadFile(filepath.Join(downloaded.Dir, "webassembly", "pdfium.wasm"))
}

// reduce returns the module that gander uses.
func reduce(wasm []byte) ([]byte, error) {
	m, err := parse(wasm)
	if err != nil {
		return nil, err
	}
	if err := seal(m, readFile); err != nil {
		return nil, err
	}
	if err := limitImages(m); err != nil {
		return nil, err
	}
	if err := trim(m, exports); err != nil {
		return nil, err
	}
	if err := shrinkMemory(m); err != nil {
		return nil, err
	}
	if err := addChecks(m); err != nil {
		return nil, err
	}
	return m.encode(), nil
}

func write(wasm []byte) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(wasm)
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(target, b.Bytes(), 0o644)
}

func read() ([]byte, error) {
	file, err := os.Open(target)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
