// Package testkit holds what the tests of the whole module share: it opens toolsets and calls tools as an embedding program
// does. The packages below it make file trees, run the conformance cases, run rg, start tests as another user, and give a command a
// terminal. Nothing here is linked into a program.
package testkit
