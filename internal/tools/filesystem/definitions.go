package filesystem

import (
	"encoding/json"

	"gander/tool"
)

// The definitions are those of the original, byte for byte. TestDefinitions compares them.

// define returns the definition of a tool whose answers are text.
func define(name, title, description, path, properties string) tool.Spec {
	return tool.Spec{
		ID:            "filesystem/" + name,
		Name:          name,
		Title:         title,
		Description:   description,
		Input:         json.RawMessage(schema + properties + "}"),
		Output:        json.RawMessage(textOutput),
		ContentOutput: true,
		Annotations:   json.RawMessage(`{"readOnlyHint":true,"openWorldHint":false}`),
		Server: &tool.Server{
			Name: "secure-filesystem-server", Version: "0.2.0", UnknownTool: "MCP error -32602: Tool %s not found",
			Started: "Secure MCP Filesystem Server running on stdio",
		},
		PathArgument: path,
		Risk:         tool.Low,
	}
}

const (
	schema     = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":`
	textOutput = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"content":{"type":"string"}},"required":["content"],"additionalProperties":false}`
	pathOnly   = `{"path":{"type":"string"}},"required":["path"]`
	textRange  = `{"path":{"type":"string"},` +
		`"tail":{"description":"If provided, returns only the last N lines of the file","type":"number"},` +
		`"head":{"description":"If provided, returns only the first N lines of the file","type":"number"}},"required":["path"]`
)

func readFile() tool.Spec {
	return define("read_file", "Read File (Deprecated)",
		"Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.",
		"path", textRange)
}

func readTextFile() tool.Spec {
	s := define("read_text_file", "Read Text File",
		"Read the complete contents of a file from the file system as text. Handles various text encodings and provides"+
			" detailed error messages if the file cannot be read. Use this tool when you need to examine the contents of a "+
			"single file. Use the 'head' parameter to read only the first N lines of a file, or the 'tail' parameter to "+
			"read only the last N lines of a file. Operates on the file as text regardless of extension. Only works within "+
			"allowed directories.",
		"path", textRange)
	s.Command = tool.Command{Name: "read", Arguments: map[string]string{"limit": "head"}, AbsolutePath: true}
	return s
}

func readMediaFile() tool.Spec {
	s := define("read_media_file", "Read Media File",
		"Read a file and return it as a base64-encoded content block with its MIME type. Image and audio files are "+
			"returned as image/audio content; any other file type is returned as an embedded resource. Only works within "+
			"allowed directories.",
		"path", pathOnly)
	s.Output = json.RawMessage(mediaOutput)
	return s
}

const mediaOutput = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"content":{"type":"array","items":` +
	`{"anyOf":[{"type":"object","properties":{"type":{"type":"string","enum":["image","audio"]},"data":{"type":"string"},"mimeType":{"type":"string"}},"required":["type","data","mimeType"],"additionalProperties":false},` +
	`{"type":"object","properties":{"type":{"type":"string","const":"resource"},"resource":{"type":"object","properties":{"uri":{"type":"string"},"mimeType":{"type":"string"},"blob":{"type":"string"}},"required":["uri","blob"],"additionalProperties":false}},"required":["type","resource"],"additionalProperties":false}]}}},"required":["content"],"additionalProperties":false}`

func readMultipleFiles() tool.Spec {
	return define("read_multiple_files", "Read Multiple Files",
		"Read the contents of multiple files simultaneously. This is more efficient than reading files one by one when "+
			"you need to analyze or compare multiple files. Each file's content is returned with its path as a reference. "+
			"Failed reads for individual files won't stop the entire operation. Only works within allowed directories.",
		"", `{"paths":{"minItems":1,"type":"array","items":{"type":"string"},"description":"Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories."}},"required":["paths"]`)
}

func listDirectory() tool.Spec {
	s := define("list_directory", "List Directory",
		"Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between "+
			"files and directories with [FILE] and [DIR] prefixes. This tool is essential for understanding directory "+
			"structure and finding specific files within a directory. Only works within allowed directories.",
		"path", pathOnly)
	s.Command = tool.Command{Name: "list", AbsolutePath: true}
	return s
}

func listDirectoryWithSizes() tool.Spec {
	return define("list_directory_with_sizes", "List Directory with Sizes",
		"Get a detailed listing of all files and directories in a specified path, including sizes. Results clearly "+
			"distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is useful for "+
			"understanding directory structure and finding specific files within a directory. Only works within allowed "+
			"directories.",
		"path", `{"path":{"type":"string"},"sortBy":{"default":"name","description":"Sort entries by name or size","type":"string","enum":["name","size"]}},"required":["path"]`)
}

func directoryTree() tool.Spec {
	return define("directory_tree", "Directory Tree",
		"Get a recursive tree view of files and directories as a JSON structure. Each entry includes 'name', 'type' "+
			"(file/directory), and 'children' for directories. Files have no children array, while directories always have "+
			"a children array (which may be empty). The output is formatted with 2-space indentation for readability. Only "+
			"works within allowed directories.",
		"path", `{"path":{"type":"string"},"excludePatterns":{"default":[],"type":"array","items":{"type":"string"}}},"required":["path"]`)
}

func searchFiles() tool.Spec {
	s := define("search_files", "Search Files",
		"Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns "+
			"that match paths relative to the working directory. Use pattern like '*.ext' to match files in current "+
			"directory, and '**/*.ext' to match files in all subdirectories. Returns full paths to all matching items. "+
			"Great for finding files when you don't know their exact location. Only searches within allowed directories.",
		"path", `{"path":{"type":"string"},"pattern":{"type":"string"},"excludePatterns":{"default":[],"type":"array","items":{"type":"string"}}},"required":["path","pattern"]`)
	s.Command = tool.Command{Name: "find", AbsolutePath: true}
	return s
}

func getFileInfo() tool.Spec {
	return define("get_file_info", "Get File Info",
		"Retrieve detailed metadata about a file or directory. Returns comprehensive information including size, "+
			"creation time, last modified time, permissions, and type. This tool is perfect for understanding file "+
			"characteristics without reading the actual content. Only works within allowed directories.",
		"path", pathOnly)
}

func listAllowedDirectories() tool.Spec {
	return define("list_allowed_directories", "List Allowed Directories",
		"Returns the list of directories that this server is allowed to access. Subdirectories within these allowed "+
			"directories are also accessible. Use this to understand which directories and their nested paths are available"+
			" before trying to access files.",
		"", `{}`)
}
