// Command first is the program in docs/library.md.
package main

import (
	"context"
	"fmt"
	"log"

	"gander"
	"gander/tool"
)

func main() {
	files, err := gander.Open(gander.Options{Roots: []string{"."}})
	if err != nil {
		log.Fatal(err)
	}
	defer files.Close()
	tools, err := files.Tools(gander.OpenAIChat) // for the request to the model
	fmt.Printf("%.80s... %v\n", tools, err)
	result, err := files.Call(context.Background(), "list_dir", tool.Call{Args: []byte(`{"depth":2}`)})
	fmt.Println(result.Text(), err)
}
