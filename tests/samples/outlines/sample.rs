//! Crate docs.

use std::fmt;

/// A point.
#[derive(Debug)]
pub struct Point<T> {
    x: T,
}

impl<T> Point<T> {
    /// Makes one.
    pub fn new(x: T) -> Self {
        Point { x }
    }
}

impl fmt::Display for Point<i32> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Ok(())
    }
}

mod tests {
    #[test]
    fn works() {
        assert!(true);
    }
}

macro_rules! twice {
    ($e:expr) => { $e; $e };
}
