// Package lines reads a file as numbered lines: a [Cursor] finds a line by its number and reads from there in both directions,
// in memory that depends neither on the size of the file nor on the length of a line.
package lines
