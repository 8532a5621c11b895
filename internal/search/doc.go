// Package search finds lines that match a pattern in the files of a workspace, and finds files by
// name.
//
// The results equal the results of ripgrep 15 with the same pattern and options in the order of rg
// --sort path, except:
//
//   - If Scope.Ignore follows git, the directory .git is not searched, even with Scope.Hidden,
//     unless OpenGit is set.
//   - A name that begins and ends with a dot is hidden.
//   - Ignore files above the workspace and git's global excludes are not read. As in git, braces
//     have no meaning in a .gitignore.
//   - A file is searched up to its size at the time of opening.
//   - In a file of more than 2 MiB, the blocks that are searched in parallel decide which lines
//     before a NUL are found. In ripgrep, its buffers of 64 KiB decide.
//   - A first line that matches is not shown if the first buffer contains a NUL, as in ripgrep 15.0
//     but not in 15.2.
//   - A match that spans more than 32,768 shorter ones is replaced by those.
//
// A [Line] holds the text of a line of less than 64 KiB, and the beginning of a longer one. Its
// methods work on the whole line, of any length, in time proportional to the length and in bounded
// memory: Spans yields the matches, and Open returns a reader, which reads the file again if Text
// is not the whole line.
//
// The words for the path of a result, in the order in which it meets them:
//
//   - A run is one search. It walks, and yields the results, on the goroutine of its caller.
//   - An item is a file that it finds, or a block of a large one.
//   - A task is a list of items, for one goroutine.
//   - A worker is a goroutine that searches tasks ahead of the run.
//   - A scanner, of the run or of a worker, searches an item through a buffer.
//   - A line is what it sends of the item: a line that matches, or its context.
//   - An ending is what it returns about the item, after the lines.
//   - A batch is lines and endings of a worker's task. The run makes results of them, in its order.
package search
