// Package testkit has helpers for the tests of the whole module, which use it like an embedding
// program.
package testkit
