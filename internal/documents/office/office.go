// Package office lists the formats of office documents, books and notebooks.
package office

import (
	"gander/internal/documents"
	"gander/internal/documents/docx"
	"gander/internal/documents/epub"
	"gander/internal/documents/ipynb"
	"gander/internal/documents/odf"
	"gander/internal/documents/pptx"
	"gander/internal/documents/rtf"
	"gander/internal/documents/xlsx"
)

// Formats returns the formats.
func Formats() []documents.Format {
	return []documents.Format{
		docx.Format, xlsx.Format, pptx.Format, odf.Text, odf.Spreadsheet, odf.Presentation,
		epub.Format, ipynb.Format, rtf.Format,
		compound{},
	}
}
