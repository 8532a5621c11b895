package gander

import "gander/internal/tools/definition"

// Settings returns the settings that Open derives from o, including defaults.
func Settings(o Options) map[string]any {
	return map[string]any{
		"max_output_bytes": o.Limits.maxOutputBytes(),
		"max_data_bytes":   o.Limits.maxDataBytes(),
		"timeout":          o.Limits.timeout(),
		"cache_bytes":      o.Limits.cacheBytes(),
		"deny":             o.Deny,
		"default_deny":     !o.NoDefaultDeny,
	}
}

// SetsOf returns the sets that Open opens.
func SetsOf(o Options) []definition.Set { return o.sets() }
