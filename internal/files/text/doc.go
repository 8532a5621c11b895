// Package text decodes, escapes, quotes and compares names. Names compare as in Rust and
// JavaScript. The package does not depend on files, directories and tools.
package text
