// Package engine is the folder of the packages that know files: confined access to a workspace, walks over its directories,
// their names in order, ignore files and globs, lines of text files, and text encodings. They know nothing of tools: no
// dialect, no configuration and no protocol. Dialects are built on them. There is no code in this package itself.
package engine
