//go:build linux

// Command explore counts what it costs to find things out with different toolsets: the calls, bytes and tokens until the answer to a
// question is on the screen. questions.go has the questions and how they are explored, toolsets.go what a step becomes in each
// toolset. The explorers are scripts, not models: see docs/toolset.md.
//
//	go run ./bench/explore -npm DIR
//
// DIR is a directory in which the npm packages gpt-tokenizer, @google/gemini-cli-core, @modelcontextprotocol/server-filesystem and three
// are installed. What is missing there is left out; without gpt-tokenizer, bytes are counted.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"gander"
)

func main() {
	npm := flag.String("npm", ".", "directory with node_modules")
	host := flag.Int("host", 50_000, "the most characters of an answer that a host passes on; 0 is any number")
	only := flag.String("question", "", "ask only questions that contain this, and print the answers")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *npm, *host, *only); err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
}

// A result is what a question has cost with a toolset.
type result struct {
	calls, bytes, tokens int
	answered             bool
}

func run(ctx context.Context, npm string, host int, only string) error {
	npm, err := filepath.Abs(npm)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "explore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	repositories, err := prepare(ctx, npm, temp)
	if err != nil {
		return err
	}
	tokens, err := startHelper(ctx, npm, temp, "")
	if err != nil {
		return err
	}
	defer tokens.close()
	asked := questions(facts{repositories})
	all := []toolset{ours(), codex(), official(), gemini(), shell()}
	results := make([][]result, len(asked))
	sessions := map[string]*session{}
	for i, q := range asked {
		if only != "" && !strings.Contains(q.text, only) || repositories[q.repository] == "" {
			continue
		}
		for _, tools := range all {
			key := tools.name + "\x00" + q.repository
			if sessions[key] == nil {
				if sessions[key], err = open(ctx, tools, repositories[q.repository], npm, temp); err != nil {
					return fmt.Errorf("%s: %w", tools.name, err)
				}
				defer sessions[key].close()
			}
			e := &explorer{session: sessions[key], question: q, host: host}
			q.explore(e)
			r := result{calls: e.steps, bytes: e.screen.Len() - e.steps, answered: e.found()}
			if r.tokens, err = tokens.tokens(e.screen.String()); err != nil {
				return err
			}
			results[i] = append(results[i], r)
			fmt.Fprintf(os.Stderr, "%s: %s: %d calls, %d tokens\n", tools.name, q.text, r.calls, r.tokens)
			if only != "" {
				fmt.Printf("=== %s: %s\n%s\n", tools.name, q.text, e.screen.String())
			}
		}
	}
	table(all, asked, results)
	n, err := definitions(tokens)
	fmt.Printf("\nThe definitions of gander's tools have %d tokens.\n", n)
	return err
}

// definitions returns how many tokens the names, descriptions and schemas of gander's own tools have.
func definitions(tokens *helper) (n int, err error) {
	t, err := gander.Open(gander.Options{})
	if err != nil {
		return 0, err
	}
	defer t.Close()
	for _, d := range t.Definitions() {
		one, err := tokens.tokens(d.Name + "\n" + d.Description + "\n" + string(d.Input))
		if err != nil {
			return 0, err
		}
		n += one
	}
	return n, nil
}

// table prints the costs as a Markdown table: calls and tokens, in parentheses what was not answered.
func table(all []toolset, asked []question, results [][]result) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	defer w.Flush()
	row := func(name string, cell func(j int) string) {
		fmt.Fprintf(w, "| %s\t", name)
		for j := range all {
			fmt.Fprintf(w, "| %s\t", cell(j))
		}
		fmt.Fprint(w, "|\n")
	}
	row("question, calls / tokens", func(j int) string { return all[j].name })
	fmt.Fprint(w, "|"+strings.Repeat(" ---\t|", len(all)+1)+"\n")
	// of all questions, of those that a toolset answers, and of the first toolset for the same
	sums, answered, same := make([]result, len(all)), make([]result, len(all)), make([]result, len(all))
	unanswered := make([]int, len(all))
	for i, costs := range results {
		if costs == nil {
			continue
		}
		row(asked[i].repository+": "+asked[i].text, func(j int) string {
			sums[j].add(costs[j])
			if !costs[j].answered {
				unanswered[j]++
				return fmt.Sprintf("(%d / %d)", costs[j].calls, costs[j].tokens)
			}
			answered[j].add(costs[j])
			same[j].add(costs[0])
			return fmt.Sprintf("%d / %d", costs[j].calls, costs[j].tokens)
		})
	}
	row("**calls**", func(j int) string { return strconv.Itoa(sums[j].calls) })
	row("**bytes**", func(j int) string { return strconv.Itoa(sums[j].bytes) })
	row("**tokens**", func(j int) string { return strconv.Itoa(sums[j].tokens) })
	row("**not answered**", func(j int) string { return strconv.Itoa(unanswered[j]) })
	row("**what it answers**", func(j int) string { return fmt.Sprintf("%d / %d", answered[j].calls, answered[j].tokens) })
	row("**the same with "+all[0].name+"**", func(j int) string { return fmt.Sprintf("%d / %d", same[j].calls, same[j].tokens) })
}

func (r *result) add(other result) {
	r.calls += other.calls
	r.bytes += other.bytes
	r.tokens += other.tokens
}
