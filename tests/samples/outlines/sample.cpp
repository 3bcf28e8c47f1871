#include <vector>

namespace geo {
// A shape.
class Shape {
public:
  Shape();
  virtual double area() const {
    return 0;
  }
};

template <typename T>
class Box {
  T value;
};

double Shape::edge(int n) {
  return n;
}

const char *name() {
  return "x";
}

template <class T>
T &largest(std::vector<T> &items) {
  return items[0];
}
}  // namespace geo

enum class Colour {
  Red,
};

bool operator<(const A &a, const A &b) {
  return a.x < b.x;
}
