// Package text decodes, escapes, quotes and compares names. Comparisons are those of Rust and
// JavaScript. The package does not depend on files, directories and tools.
package text
