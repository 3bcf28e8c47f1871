"""A vector backend that keeps every promise and writes a file; mutants change one thing in it."""

from contextlib import contextmanager

from imprint.plugins import Generation, VectorBackendInfo, VectorHit, hookimpl


@hookimpl
def describe_vector_backend():
    return VectorBackendInfo(name="sound", summary="Keeps every promise")


@hookimpl
@contextmanager
def open_vector_backend(settings):
    yield SoundBackend(settings)


class SoundBackend:
    """All rows in a dictionary, taken from a file of ours where that can be trusted, and from the feed."""

    def __init__(self, settings):
        self.folder = settings.folder
        self.feed = settings.feed
        self.start()

    def start(self):
        self.epoch = self.feed.epoch
        self.position, self.rows = 0, {}
        generation = self.feed.generation("sound")
        if generation is not None and self.trusts(generation):
            self.position, self.rows = generation.position, self.read(generation)

    def trusts(self, generation):
        path = self.folder / generation.file
        return (
            generation.epoch == self.feed.epoch
            and path.is_file()
            and self.digest(path.read_bytes()) == generation.digest
        )

    def read(self, generation):
        import numpy

        with (self.folder / generation.file).open("rb") as file:
            ids = numpy.load(file)
            rows = numpy.load(file)
        return dict(zip(ids.tolist(), rows, strict=True))

    @staticmethod
    def digest(data):
        from hashlib import blake2b

        return blake2b(data).hexdigest()

    def catch_up(self):
        import numpy

        if self.feed.epoch != self.epoch:
            self.start()
        if self.feed.position() != self.position:
            for batch in self.feed.batches(self.position):
                self.rows.update(zip(batch.ids.tolist(), batch.rows.astype(numpy.float32), strict=True))
                for id in batch.removed.tolist():
                    self.rows.pop(id, None)
                self.position = batch.position

    def search(self, query, limit, *, among=None):
        self.catch_up()
        hits = self.find(query, list(self.rows) if among is None else among)
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    def scores(self, query, ids):
        self.catch_up()
        return self.find(query, ids)

    def find(self, query, ids):
        return [VectorHit(id, float(self.rows[id] @ query)) for id in ids if id in self.rows]

    def compact(self):
        import numpy

        self.catch_up()
        previous = self.feed.generation("sound")
        number = previous.number + 1 if previous else 1
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{number}.npy"
        with path.open("wb") as file:
            numpy.save(file, numpy.array(list(self.rows), dtype=numpy.int64))
            numpy.save(file, numpy.array(list(self.rows.values()), dtype=numpy.float32))
        generation = Generation(
            number=number,
            backend="sound",
            file=path.name,
            digest=self.digest(path.read_bytes()),
            position=self.position,
            epoch=self.epoch,
            rows=len(self.rows),
        )
        is_published = self.feed.publish(generation)
        if not is_published:
            path.unlink()
        return is_published
