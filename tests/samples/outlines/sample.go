package main

import "fmt"

// Store keeps things.
type Store struct {
	path string
}

type (
	A struct {
		x int
	}
	B interface {
		Get() int
	}
)

// Open opens.
func (s *Store) Open() error {
	return nil
}

func (l List[T]) Len() int {
	return 0
}

func main() {
	fmt.Println("x")
}
