// Package syntax parses patterns in ripgrep 15's syntax, which is that of Rust's regex crate, into a tree of [Node]s.
//
// As in ripgrep, classes and word boundaries know Unicode, ^ and $ are the ends of a line, a carriage return before the line feed
// belongs to the line, and no match contains a line feed. The flags are i, m, s, U, u, R and x. There are no look-around and no
// back-references.
//
// These patterns mean something else than to ripgrep 15, or are not accepted:
//
//   - Unicode's tables are those of Go, which may be of another version than ripgrep's. Characters that one of them does not know differ.
//   - Of properties, \p{...} knows general categories, scripts (by their long names, the most common ones also by their short names), and the
//     binary properties that Go's unicode package has or that follow from it. It does not know Emoji, Age, Script_Extensions, the
//     ID_ and XID_ properties, and those of segmentation such as Grapheme_Cluster_Break.
//   - Programs are limited to a smaller size than ripgrep's: \w{300} is accepted, \w{1000} is not.
//   - ripgrep puts a pattern into (?:...) and so accepts a)(b; here it is an error.
//
// In these cases ripgrep's own answer hangs on where its buffers begin or on what matched before:
//
//   - Before a byte from 80 to BF at the start of a line, there is a line feed here. ripgrep does not always see it, and then Unicode word boundaries
//     differ, as they look at characters rather than bytes.
//   - With the flag R, the end of a line is the end of a line here, whether it has a line feed or not. ripgrep sometimes finds that $
//     holds behind the carriage return at the end of a line.
//   - ripgrep sometimes shows a match that begins later than the first: for (_-.)?[a-c] in x_-ab it shows a and b, for _-.[a-c]|[a-c],
//     which means the same, _-ab. Here it is the latter for both.
//   - The spans of \A, \z and of ^ and $ without the flag m are at the ends of the line here. ripgrep finds the same lines, but
//     shows spans as if only the ends of the buffer counted.
//   - An empty match at the end of a last line without a line feed has a span here.
package syntax
