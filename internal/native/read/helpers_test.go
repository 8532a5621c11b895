package read

import (
	"gander/internal/native/call"
	"gander/internal/native/list"
)

// listing returns the tool, which lists directories as list_dir does.
func listing(e *call.Environment) *call.Tool { return Tool(e, list.Page) }
