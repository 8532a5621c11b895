package gander

// Settings returns the settings that Open derives from o, with all defaults filled in.
func Settings(o Options) map[string]any {
	return map[string]any{
		"max_output_bytes": o.Limits.maxOutputBytes(),
		"max_data_bytes":   o.Limits.maxDataBytes(),
		"timeout":          o.Limits.timeout(),
		"memory_bytes":     o.Limits.memoryBytes(),
		"deny":             o.Sandbox.Deny,
		"default_denies":   !o.Sandbox.NoDefaultDenies,
		"list_dir":         o.listDir(),
		"read_file":        o.readFile(),
		"gemini":           o.gemini(),
		"forge":            o.forge(),
		"tree":             o.tree(),
	}
}
