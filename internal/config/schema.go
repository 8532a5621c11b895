package config

// document is the schema of a configuration file. The tag sets names the field of gander.Options
// that the key sets. After "!" the field has the opposite meaning.
type document struct {
	Sandbox struct {
		AllowAbsolute        bool     `toml:"allow_absolute" sets:"!ForgeListDirectory.RelativeOnly"`
		IncludeDefaultDenies bool     `toml:"include_default_denies" sets:"!NoDefaultDeny"`
		Deny                 []string `toml:"deny" sets:"Deny"`
	} `toml:"sandbox"`
	Policy struct {
		Allow  []string `toml:"allow" sets:"Policy.Allow"`
		Deny   []string `toml:"deny" sets:"Policy.Deny"`
		Prompt []string `toml:"prompt" sets:"Policy.Prompt"`
	} `toml:"policy"`
	Limits struct {
		MaxOutputBytes limit    `toml:"max_output_bytes" sets:"Limits.MaxOutputBytes"`
		MaxDataBytes   limit    `toml:"max_data_bytes" sets:"Limits.MaxDataBytes"`
		Timeout        timeout  `toml:"timeout" sets:"Limits.Timeout"`
		MemoryBytes    limit    `toml:"memory_bytes" sets:"Limits.CacheBytes"`
		MaxCalls       positive `toml:"max_calls" sets:"Limits.MaxConcurrentCalls"`
	} `toml:"limits"`
	Output struct {
		VerbatimNames bool `toml:"verbatim_names" sets:"VerbatimNames"`
	} `toml:"output"`
	Gander struct {
		MaxChars limit `toml:"max_chars" sets:"MaxChars"`
	} `toml:"gander"`
	Codex struct {
		ListDir struct {
			Limit    positive `toml:"limit" sets:"CodexListDir.Limit"`
			Depth    positive `toml:"depth" sets:"CodexListDir.Depth"`
			MaxLimit natural  `toml:"max_limit" sets:"CodexListDir.MaxLimit"`
			MaxDepth natural  `toml:"max_depth" sets:"CodexListDir.MaxDepth"`
		} `toml:"list_dir"`
		ReadFile struct {
			Limit           positive `toml:"limit" sets:"CodexReadFile.Limit"`
			MaxLimit        natural  `toml:"max_limit" sets:"CodexReadFile.MaxLimit"`
			MaxLevels       natural  `toml:"max_levels" sets:"CodexReadFile.MaxLevels"`
			IncludeSiblings bool     `toml:"include_siblings" sets:"CodexReadFile.IncludeSiblings"`
			IncludeHeader   bool     `toml:"include_header" sets:"CodexReadFile.IncludeHeader"`
		} `toml:"read_file"`
		GrepFiles struct {
			Limit    positive `toml:"limit" sets:"CodexGrepFiles.Limit"`
			MaxLimit positive `toml:"max_limit" sets:"CodexGrepFiles.MaxLimit"`
		} `toml:"grep_files"`
	} `toml:"codex"`
	Gemini struct {
		ListDirectory struct {
			Git    bool `toml:"respect_git_ignore" sets:"!GeminiListDirectory.NoGitIgnore"`
			Gemini bool `toml:"respect_gemini_ignore" sets:"!GeminiListDirectory.NoGeminiIgnore"`
		} `toml:"list_directory"`
	} `toml:"gemini"`
	Toolkit struct {
		Tree struct {
			MaxDepth   natural  `toml:"max_depth" sets:"ToolkitTree.MaxDepth"`
			MaxEntries positive `toml:"max_entries" sets:"ToolkitTree.MaxEntries"`
			DepthCap   natural  `toml:"depth_cap" sets:"ToolkitTree.DepthCap"`
			EntriesCap positive `toml:"entries_cap" sets:"ToolkitTree.EntriesCap"`
			Exclude    []string `toml:"exclude" sets:"ToolkitTree.Exclude"`
			Defaults   bool     `toml:"include_default_excludes" sets:"!ToolkitTree.NoDefaultExcludes"`
		} `toml:"tree"`
	} `toml:"toolkit"`
	Tools struct {
		// The names are those of CFG-LD-01.
		ListDirectory struct {
			MaxEntries positive `toml:"max_entries" sets:"ForgeListDirectory.MaxEntries"`
			MaxDepth   positive `toml:"max_depth" sets:"ForgeListDirectory.MaxDepth"`
			Hidden     bool     `toml:"include_hidden_default" sets:"ForgeListDirectory.IncludeHidden"`
			Symlinks   bool     `toml:"include_symlinks_default" sets:"!ForgeListDirectory.OmitSymlinks"`
			Files      bool     `toml:"include_files_default" sets:"!ForgeListDirectory.OmitFiles"`
			Dirs       bool     `toml:"include_dirs_default" sets:"!ForgeListDirectory.OmitDirs"`
			Other      bool     `toml:"include_other_default" sets:"ForgeListDirectory.IncludeOther"`
		} `toml:"list_directory"`
	} `toml:"tools"`
}
