package config

import "gander"

// schema lists all keys: the name, the range, and the field of o or m that the key sets.
func schema(o *gander.Options, m *MCP) []key {
	return []key{
		negated("sandbox.allow_absolute", &o.Sandbox.RelativeOnly),
		negated("sandbox.include_default_denies", &o.Sandbox.NoDefaultDenies),
		words("sandbox.deny", &o.Sandbox.Deny),

		words("policy.allow", &o.Policy.Allow),
		words("policy.deny", &o.Policy.Deny),
		words("policy.prompt", &o.Policy.Prompt),

		limit("limits.max_output_bytes", "no limit", &o.Limits.MaxOutputBytes),
		limit("limits.max_data_bytes", "no limit", &o.Limits.MaxDataBytes),
		duration("limits.timeout", &o.Limits.Timeout),
		limit("limits.memory_bytes", "no cache", &o.Limits.MemoryBytes),
		integer("limits.max_calls", 1, 65536, &o.Limits.MaxCalls),

		boolean("output.verbatim_names", &o.Output.VerbatimNames),

		limit("tools.gander.max_chars", "no limit", &o.Gander.MaxChars),

		integer("tools.list_dir.limit", 1, unbounded, &o.ListDir.Limit),
		integer("tools.list_dir.depth", 1, unbounded, &o.ListDir.Depth),
		integer("tools.list_dir.max_limit", 0, unbounded, &o.ListDir.MaxLimit),
		integer("tools.list_dir.max_depth", 0, unbounded, &o.ListDir.MaxDepth),

		integer("tools.read_file.limit", 1, unbounded, &o.ReadFile.Limit),
		integer("tools.read_file.max_limit", 0, unbounded, &o.ReadFile.MaxLimit),
		optional("tools.read_file.max_levels", 0, unbounded, &o.ReadFile.MaxLevels),
		boolean("tools.read_file.include_siblings", &o.ReadFile.IncludeSiblings),
		boolean("tools.read_file.include_header", &o.ReadFile.IncludeHeader),

		integer("tools.grep_files.limit", 1, unbounded, &o.GrepFiles.Limit),
		integer("tools.grep_files.max_limit", 1, unbounded, &o.GrepFiles.MaxLimit),

		negated("tools.gemini_list_directory.respect_git_ignore", &o.GeminiListDirectory.NoGitIgnore),
		negated("tools.gemini_list_directory.respect_gemini_ignore", &o.GeminiListDirectory.NoGeminiIgnore),

		// CFG-LD-01
		integer("tools.list_directory.max_entries", 1, unbounded, &o.ForgeListDirectory.MaxEntries),
		integer("tools.list_directory.max_depth", 1, unbounded, &o.ForgeListDirectory.MaxDepth),
		boolean("tools.list_directory.include_hidden_default", &o.ForgeListDirectory.IncludeHidden),
		negated("tools.list_directory.include_symlinks_default", &o.ForgeListDirectory.OmitSymlinks),
		negated("tools.list_directory.include_files_default", &o.ForgeListDirectory.OmitFiles),
		negated("tools.list_directory.include_dirs_default", &o.ForgeListDirectory.OmitDirs),
		boolean("tools.list_directory.include_other_default", &o.ForgeListDirectory.IncludeOther),

		optional("tools.tree.max_depth", 0, 12, &o.Tree.MaxDepth),
		integer("tools.tree.max_entries", 1, 1000, &o.Tree.MaxEntries),
		optional("tools.tree.depth_cap", 0, 12, &o.Tree.DepthCap),
		integer("tools.tree.entries_cap", 1, 1000, &o.Tree.EntriesCap),
		words("tools.tree.exclude", &o.Tree.Exclude),
		negated("tools.tree.include_default_excludes", &o.Tree.NoDefaultExcludes),

		boolean("mcp.structured", &m.Structured),
		negated("mcp.resources", &m.NoResources),
		boolean("mcp.client_roots", &m.ClientRoots),
	}
}
