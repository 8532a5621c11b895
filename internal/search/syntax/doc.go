// Package syntax parses patterns in the syntax of ripgrep 15, the syntax of Rust's regex crate,
// into a tree of [Node]s.
//
// As in ripgrep, classes and word boundaries use Unicode, ^ and $ match at the ends of a line, and
// no match contains a line feed. The flags are i, m, s, U, u, R and x. Look-around and
// back-references are not supported. [Options.CRLF] corresponds to rg --crlf.
//
// Differences from ripgrep 15:
//
//   - A pattern has at most 8 KiB.
//   - With [Options.CRLF], a pattern may contain a literal carriage return, which rg --crlf
//     rejects. An empty match after the carriage return at the end of a line has a span.
//   - The Unicode tables are Go's. New characters differ if ripgrep has another version of Unicode.
//   - \p{...} accepts general categories, scripts (by long names, the most common ones also by
//     short names), and the binary properties that Go's unicode package has or that can be derived
//     from it. It does not accept Emoji, Age, Script_Extensions, the ID_ and XID_ properties, and
//     properties of segmentation such as Grapheme_Cluster_Break.
//   - Programs are limited to a smaller size than ripgrep's: \w{300} is accepted, \w{1000} is not.
//   - The flag x does not allow white space in \b{...} and among the digits of \x41.
//   - ripgrep puts a pattern into (?:...) and therefore accepts a)(b. Here it is an error.
//
// In the following cases ripgrep's result depends on its buffers or on earlier matches. The result
// of this package does not:
//
//   - A byte from 80 to BF at the start of a line always follows a line feed. ripgrep does not
//     always see the line feed, which changes the Unicode word boundaries there.
//   - With the flag R, the end of a line is the same whether the line has a line feed or not.
//     ripgrep sometimes finds that $ matches after the carriage return at the end of a line.
//   - The first match is the leftmost. ripgrep sometimes shows a later one: it finds a and b with
//     (_-.)?[a-c] in x_-ab, but _-ab with _-.[a-c]|[a-c], which means the same. Here both find
//     _-ab.
//   - The spans of \A, \z, and of ^ and $ without the flag m are at the ends of the line. ripgrep
//     finds the same lines, but shows spans only at the ends of the buffer.
//   - An empty match at the end of a last line that has no line feed has a span.
package syntax
