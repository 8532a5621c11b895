// Package lines knows an open file as numbered lines: it finds a line by its number and walks from there in both
// directions, in memory that depends neither on the length of the file nor on that of a line.
// It knows nothing of paths and opening, of how a line is shown, or of which lines anybody wants.
package lines
