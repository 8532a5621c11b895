// Package text knows what a name looks like in an answer and how two names compare.
// It knows nothing about files, directories, tools or formats beyond a line and a JSON string.
package text
