package a.b;

/** A thing. */
@Deprecated
public class Thing<T> {
    private int x;

    public Thing() {
        x = 1;
    }

    /** Runs. */
    @Override
    public void run() {
        x++;
    }

    enum Kind {
        A, B
    }
}

interface Shape {
    double area();
}
