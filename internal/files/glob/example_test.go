package glob_test

import (
	"fmt"

	"gander/internal/files/glob"
)

func ExampleCompile() {
	p, err := glob.Compile("src/**/*.{js,ts}", glob.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Match("src/app/main.ts"), p.Match("main.ts"))

	_, err = glob.Compile("../src/*.js", glob.Options{})
	fmt.Println(err)
	// Output:
	// true false
	// glob "../src/*.js": no path has a component ".."
}
