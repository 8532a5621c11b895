// Package text decodes, escapes, quotes and compares names. It compares them as Rust and JavaScript
// do. It does not depend on files, directories or tools.
package text
