// Package text turns names into text and orders them: it decodes, escapes and quotes them, compares
// them as Rust and JavaScript do, and puts lines together into an answer of limited size. It knows
// nothing about files, directories and tools.
package text
