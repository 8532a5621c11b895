// Package documents provides the formats of documents whose text gander's own tools read. A program
// passes them in [gander.Options]. One that does not pass PDF does not link PDFium, which is 4 MB
// of WebAssembly and the program that runs it.
package documents

import (
	"slices"

	"gander"
	"gander/internal/documents/office"
	"gander/internal/documents/pdf"
)

// All returns all formats: PDF, and those of [Office]. They are for one toolset: at most two PDF
// files are read with them at a time, so the calls of several toolsets would wait for each other.
func All() gander.Documents { return slices.Concat(gander.Documents{pdf.New()}, Office()) }

// Office returns DOCX, XLSX, PPTX, OpenDocument, RTF, EPUB and Jupyter notebooks.
func Office() gander.Documents { return gander.Documents(office.Formats()) }
