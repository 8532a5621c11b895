// Package testkit has helpers for the tests of the whole module. Its functions open toolsets and
// call tools like an embedding program. The packages below it make file trees, compare tools with
// references, run other programs, and run tests as another user.
package testkit
