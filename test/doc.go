// Package test holds the tests of the whole module; each package below this folder is one kind of test. They use what an
// embedding program or a client can use. boundary shows that nothing outside the workspace is reached; conformance, that the
// tools answer what the vectors say; load, that many, slow and stuck calls stay bounded; library, what the Go API promises;
// fuzz, that answers keep their invariants over random trees; architecture, that layers and packages follow their rules; and
// clients, that real MCP clients work.
package test
