/* License
   text. */
#include <stdio.h>

#define SQUARE(x) \
    ((x) * (x))

typedef struct {
    int x;
} point_t;

struct node {
    struct node *next;
};

/*
 * Prints.
 */
static void print_all(struct node *n) {
    puts("x");
}

char **split(const char *s)
{
    return 0;
}
