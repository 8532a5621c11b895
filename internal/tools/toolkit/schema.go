package toolkit

// inputSchema is the schema of section 4.4 without white space.
const inputSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"Directory path in workspace."},` +
	`"entry_kind":{"type":"string","enum":["directory","all"],"default":"directory",` +
	`"description":"Node types to include (default: directory)."},` +
	`"max_depth":{"type":"number","default":3,` +
	`"description":"Maximum traversal depth (default: 3)."},` +
	`"max_entries":{"type":"number","default":100,` +
	`"description":"Maximum node count (default: 100)."},` +
	`"include_hidden":{"type":"boolean","default":false,` +
	`"description":"Include dot-prefixed entries (default: false)."},` +
	`"exclude":{"type":"array","items":{"type":"string"},` +
	`"description":"Glob patterns to exclude paths."}},` +
	`"required":["path"]}`

// outputSchema describes the result of section 4.2, with the error of an unreadable directory.
const outputSchema = `{"type":"object","properties":{` +
	`"root":{"$ref":"#/$defs/node"},` +
	`"limit_reached":{"type":"boolean"},` +
	`"scanned_entries":{"type":"integer","minimum":1},` +
	`"total_dirs":{"type":"integer","minimum":1},` +
	`"total_files":{"type":"integer","minimum":0},` +
	`"total_symlinks":{"type":"integer","minimum":0}},` +
	`"required":["root","limit_reached",` +
	`"scanned_entries","total_dirs","total_files","total_symlinks"],` +
	`"$defs":{"node":{"type":"object","properties":{` +
	`"kind":{"type":"string","enum":["directory","file","symlink"]},` +
	`"name":{"type":"string"},` +
	`"path":{"type":"string"},` +
	`"depth":{"type":"integer","minimum":0},` +
	`"truncated":{"type":"boolean"},` +
	`"error":{"type":"string"},` +
	`"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},` +
	`"required":["kind","name","path","depth"]}}}`
