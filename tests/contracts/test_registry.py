"""Plugins of strangers, found through real entry points: what fails is named, and the others go on."""

import importlib.metadata
import subprocess
import sys

import pytest

from imprint.errors import (
    DuplicatePluginError,
    ImprintError,
    PluginBlockedError,
    PluginCallError,
    PluginInvalidError,
    PluginLoadError,
    UnknownPluginError,
    UnknownPluginGroupError,
)
from imprint.plugins import EmbedderInfo, EmbedderSettings
from imprint.plugins.groups import GROUPS
from imprint.plugins.references import PluginReference
from imprint.plugins.registry import PluginRegistry

GROUP = "imprint.embedders"
SOUND = """
from contextlib import nullcontext
from imprint.plugins import EmbedderInfo, hookimpl

class Model:
    identity = None
    def embed_documents(self, texts): ...
    def embed_query(self, text): ...

@hookimpl
def describe_embedder():
    return EmbedderInfo(name="sound", summary="Sound")

@hookimpl
def open_embedder(settings):
    return nullcontext(Model())
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    return Site(tmp_path, monkeypatch)


class Site:
    """A folder of installed distributions, each with one plugin."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder
        self.monkeypatch = monkeypatch
        self.scans = 0
        monkeypatch.syspath_prepend(folder)

    def install(self, name, source, *, distribution=None, group=GROUP, target=None):
        distribution = distribution or f"acme-{name}"
        module = f"{distribution.replace('-', '_')}_plugin"
        (self.folder / f"{module}.py").write_text(source, encoding="utf-8")
        metadata = self.folder / f"{distribution.replace('-', '_')}-1.2.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.2\n")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {target or module}\n")
        # Set first, so that what the test imports is forgotten after it.
        self.monkeypatch.setitem(sys.modules, module, None)
        del sys.modules[module]
        return module

    def registry(self, blocked=()):
        return PluginRegistry(blocked=blocked, entry_points=self.scan)

    def scan(self):
        self.scans += 1
        return [
            point
            for distribution in importlib.metadata.distributions(path=[str(self.folder)])
            for point in distribution.entry_points
        ]


def test_plugin_is_loaded_by_name_and_called(site):
    site.install("sound", SOUND)

    handle = site.registry().load("embedders", "sound")

    assert handle.call("describe_embedder") == EmbedderInfo(name="sound", summary="Sound")
    assert (handle.reference.distribution, handle.reference.version) == ("acme-sound", "1.2")
    with handle.call("open_embedder", settings=EmbedderSettings()) as embedder:
        assert embedder.embed_query("x") is None


def test_shipped_names_cost_no_scan_and_others_one(site):
    site.install("sound", SOUND)
    site.install("other", SOUND)
    registry = site.registry()

    for group, shipped in GROUPS.items():
        for name in shipped:
            registry.load(group, name)
    assert site.scans == 0
    registry.load(GROUP, "sound")
    registry.load(GROUP, "other")
    registry.handles("extractors")

    assert site.scans == 1


def test_plugin_that_was_not_chosen_is_not_imported(site):
    module = site.install("sound", SOUND)
    site.install("other", SOUND)

    site.registry().load(GROUP, "other")

    assert module not in sys.modules


def test_unknown_name_is_answered_with_the_nearest(site):
    site.install("sound", SOUND)

    with pytest.raises(UnknownPluginError) as caught:
        site.registry().load(GROUP, "soudn")

    assert caught.value.nearest == "sound"
    assert caught.value.known == (*GROUPS[GROUP], "sound")


def test_unknown_group_is_answered_with_the_nearest(site):
    with pytest.raises(UnknownPluginGroupError) as caught:
        site.registry().load("embeders", "memvec")

    assert caught.value.nearest == "embedders"


@pytest.mark.parametrize("entry", ["sound", "embedders/sound", "imprint.embedders/sound"])
def test_blocked_plugin_is_refused_and_never_imported(site, entry):
    module = site.install("sound", SOUND)
    registry = site.registry(blocked=[entry])

    with pytest.raises(PluginBlockedError):
        registry.load(GROUP, "sound")
    registry.handles(GROUP)

    assert "sound" not in registry.names(GROUP)
    assert module not in sys.modules
    assert "sound" in {reference.name for reference in registry.references(GROUP)}


def test_plugin_blocked_in_one_group_is_free_in_another(site):
    registry = site.registry(blocked=["extractors/memvec"])

    assert not registry.is_blocked(GROUP, "memvec")
    assert registry.is_blocked("imprint.extractors", "memvec")


def test_two_distributions_with_one_name_are_both_named(site):
    site.install("sound", SOUND, distribution="acme-one")
    site.install("sound", SOUND, distribution="acme-two")

    with pytest.raises(DuplicatePluginError) as caught:
        site.registry().load(GROUP, "sound")

    assert sorted(caught.value.distributions) == ["acme-one", "acme-two"]


def test_stranger_cannot_take_a_shipped_name(site):
    site.install("memvec", SOUND)
    registry = site.registry()

    loaded = {handle.reference.name: handle.reference.distribution for handle in registry.handles(GROUP)}

    assert loaded["memvec"] == "imprint-memvec"
    (failure,) = registry.failures()
    assert isinstance(failure, DuplicatePluginError)
    assert failure.distributions == ("imprint-memvec", "acme-memvec")


def test_entry_point_that_repeats_the_table_is_the_shipped_plugin(site):
    site.install("memvec", SOUND, target=GROUPS[GROUP]["memvec"])
    registry = site.registry()

    registry.handles(GROUP)

    assert registry.failures() == ()
    assert registry.names(GROUP) == list(GROUPS[GROUP])


def test_one_failing_plugin_leaves_the_others_alone(site):
    site.install("broken", "import no_such_package")
    site.install("sound", SOUND)
    registry = site.registry()

    names = [handle.reference.name for handle in registry.handles(GROUP)]

    assert names == [*GROUPS[GROUP], "sound"]
    assert [(failure.name, failure.distribution) for failure in registry.failures()] == [("broken", "acme-broken")]


@pytest.mark.parametrize("source", ["import no_such_package", "1 / 0", "def f(:"])
def test_module_that_cannot_be_imported_is_a_load_error(site, source):
    site.install("broken", source)

    with pytest.raises(PluginLoadError) as caught:
        site.registry().load(GROUP, "broken")

    assert (caught.value.name, caught.value.distribution, caught.value.version) == ("broken", "acme-broken", "1.2")
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (SOUND.replace("def open_embedder", "def open_embeder"), "did you mean 'open_embedder'"),
        (SOUND.replace("@hookimpl\ndef open", "def open"), "not marked with @hookimpl"),
        (SOUND.partition("@hookimpl\ndef open")[0], "the hook 'open_embedder' is missing"),
        (SOUND.replace("open_embedder(settings)", "open_embedder(setting)"), "'setting'"),
    ],
)
def test_module_that_does_not_fit_its_group_is_invalid(site, source, problem):
    site.install("invalid", source)

    with pytest.raises(PluginInvalidError) as caught:
        site.registry().load(GROUP, "invalid")

    assert problem in caught.value.problem
    assert (caught.value.name, caught.value.distribution, caught.value.version) == ("invalid", "acme-invalid", "1.2")


def test_entry_point_of_an_object_is_invalid(site):
    site.install("object", SOUND, target="acme_object_plugin:Model")

    with pytest.raises(PluginInvalidError) as caught:
        site.registry().load(GROUP, "object")

    assert "not a module" in caught.value.problem


@pytest.mark.parametrize(
    ("replaced", "by", "hook"),
    [
        ('return EmbedderInfo(name="sound", summary="Sound")', "1 / 0", "describe_embedder"),
        ('return EmbedderInfo(name="sound", summary="Sound")', "return None", "describe_embedder"),
        ('return EmbedderInfo(name="sound", summary="Sound")', "return 'sound'", "describe_embedder"),
        ("return nullcontext(Model())", "return Model()", "open_embedder"),
        ("return nullcontext(Model())", "raise OSError('no disk')", "open_embedder"),
    ],
)
def test_hook_that_raises_or_returns_another_type_is_a_call_error(site, replaced, by, hook):
    assert replaced in SOUND
    site.install("faulty", SOUND.replace(replaced, by))
    registry = site.registry()
    arguments = {"settings": EmbedderSettings()} if hook == "open_embedder" else {}

    with pytest.raises(PluginCallError) as caught:
        registry.load(GROUP, "faulty").call(hook, **arguments)

    assert (caught.value.hook, caught.value.name, caught.value.version) == (hook, "faulty", "1.2")
    assert registry.failures() == (caught.value,)


def test_context_manager_that_fails_on_entering_is_a_call_error(site):
    faulty = "@__import__('contextlib').contextmanager\ndef opening():\n    raise OSError('no disk')\n    yield\n"
    site.install("faulty", SOUND.replace("return nullcontext(Model())", "return opening()") + faulty)
    handle = site.registry().load(GROUP, "faulty")

    with pytest.raises(PluginCallError) as caught, handle.call("open_embedder", settings=EmbedderSettings()):
        pass

    assert "no disk" in caught.value.reason


def test_resource_without_the_protocols_methods_is_a_call_error(site):
    site.install("faulty", SOUND.replace("def embed_query", "def embed_question"))
    handle = site.registry().load(GROUP, "faulty")

    with pytest.raises(PluginCallError) as caught, handle.call("open_embedder", settings=EmbedderSettings()):
        pass

    assert "embed_query" in caught.value.reason


def test_typed_error_of_a_plugin_goes_through_as_it_is(site):
    raising = "from imprint.errors import UsageError; raise UsageError('no such model')"
    site.install("typed", SOUND.replace("return nullcontext(Model())", raising))
    handle = site.registry().load(GROUP, "typed")

    with pytest.raises(ImprintError, match="no such model") as caught:
        handle.call("open_embedder", settings=EmbedderSettings())

    assert not isinstance(caught.value, PluginCallError)


def test_error_inside_the_block_is_not_the_plugins(site):
    site.install("sound", SOUND)
    handle = site.registry().load(GROUP, "sound")

    with pytest.raises(KeyError, match="mine"), handle.call("open_embedder", settings=EmbedderSettings()):
        raise KeyError("mine")


def test_plugin_of_no_distribution_has_no_version():
    assert PluginReference(group="imprint.embedders", name="some", module="some", distribution="").version == ""


def test_module_is_loaded_once(site):
    site.install("sound", SOUND)
    registry = site.registry()

    assert registry.load("embedders", "sound") is registry.load(GROUP, "sound")


def test_shipped_plugin_is_loaded_without_package_metadata():
    command = (
        "import sys; from imprint.plugins.registry import PluginRegistry;"
        "PluginRegistry().load('embedders', 'memvec').call('describe_embedder');"
        "print('importlib.metadata' in sys.modules, 'numpy' in sys.modules)"
    )

    loaded = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True).stdout

    assert loaded.split() == ["False", "False"]
