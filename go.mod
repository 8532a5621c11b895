module gander

go 1.26.0

require (
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // jsontext rejects duplicate keys and invalid UTF-8, with offsets; keys of structs with regard to case
	github.com/google/go-cmp v0.7.0 // tests: differences
	github.com/google/jsonschema-go v0.4.3 // schemas of structs for package typed; tests: values conform to published schemas
	github.com/landlock-lsm/go-landlock v0.11.0 // Landlock on all threads, with or without cgo; what each version of it knows
	github.com/modelcontextprotocol/go-sdk v1.8.0 // MCP, all revisions
	github.com/pelletier/go-toml/v2 v2.4.3 // the configuration; unknown keys with line and column
	github.com/rogpeppe/go-internal v1.16.0 // tests: scripts in txtar
	github.com/spf13/cobra v1.10.2 // commands, help, completion for four shells
	github.com/spf13/pflag v1.0.9 // flags of cobra, whose errors have types
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // clients' JSON files with comments, byte offsets
	github.com/tetratelabs/wazero v1.12.0 // runs PDFium, confined to its memory, without cgo; compiles it
	golang.org/x/image v0.47.0 // WebP, and reducing images
	golang.org/x/sys v0.49.0 // openat and getdents64; locks of files on Windows
	golang.org/x/term v0.47.0 // terminal detection
	golang.org/x/text v0.43.0 // collation, and decoding of invalid UTF-8 as other programs do
	golang.org/x/time v0.15.0 // the rate of log messages
	mvdan.cc/sh/v3 v3.14.1 // the syntax of bash; its interpreter cannot be bounded, so it is not used
)

require (
	github.com/cpuguy83/go-md2man/v2 v2.0.6 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.yaml.in/yaml/v3 v3.0.4 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	kernel.org/pub/linux/libs/security/libcap/psx v1.2.77 // indirect
)
