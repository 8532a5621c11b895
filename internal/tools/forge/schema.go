package forge

// inputSchema is the normative schema of section 3.2 without white space.
const inputSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string"},` +
	`"recursive":{"type":"boolean","default":false},` +
	`"max_depth":{"type":"integer","minimum":1},` +
	`"max_entries":{"type":"integer","minimum":1},` +
	`"include_hidden":{"type":"boolean","default":false},` +
	`"include_files":{"type":"boolean","default":true},` +
	`"include_dirs":{"type":"boolean","default":true},` +
	`"include_symlinks":{"type":"boolean","default":true},` +
	`"include_other":{"type":"boolean","default":false}},` +
	`"required":["path"]}`

// outputSchema describes the result of section 3.5.
const outputSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string"},` +
	`"entries":{"type":"array","items":{"type":"object","properties":{` +
	`"name":{"type":"string"},` +
	`"path":{"type":"string"},` +
	`"depth":{"type":"integer","minimum":1},` +
	`"type":{"type":"string","enum":["file","dir","symlink","other","unknown"]},` +
	`"size_bytes":{"type":["integer","null"]},` +
	`"modified_epoch_ms":{"type":["integer","null"]},` +
	`"is_hidden":{"type":"boolean"},` +
	`"error_code":{"type":["string","null"],"enum":["metadata_unavailable","permission_denied",` +
	`"read_dir_failed","io_error","unknown",null]},` +
	`"error":{"type":["string","null"]}},` +
	`"required":["name","path","depth","type","size_bytes","modified_epoch_ms","is_hidden",` +
	`"error_code","error"]}},` +
	`"returned":{"type":"integer","minimum":0},` +
	`"max_entries":{"type":"integer","minimum":1},` +
	`"truncated":{"type":"boolean"},` +
	`"truncated_reason":{"type":["string","null"],"enum":["max_entries","max_output_bytes",null]}},` +
	`"required":["path","entries","returned","max_entries","truncated","truncated_reason"]}`
