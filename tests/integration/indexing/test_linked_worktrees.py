"""Linked git worktrees, ingested, refreshed and purged: their place in the main worktree decides."""

import shutil
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from imprint.adapters.device_locks import FileDeviceLock
from imprint.adapters.purge_targets import RealPurgeTargets
from imprint.domain.purge import Exclusion
from imprint.domain.sources import WorkspaceName
from imprint.domain.worktrees import Worktree
from imprint.errors import ExcludedSourceError, OutsideRootsError
from imprint.services.indexing_reports import Outcome
from imprint.services.purge import Purge

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

Bench = Any
Steps = Any

ACME, DEFAULT = WorkspaceName("acme"), WorkspaceName("default")


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, check=True)


@pytest.fixture
def main(bench: Bench) -> Path:
    """A repository with two files, beside which worktrees are made."""
    bench.write({"app/src/one.md": "# One\n\nherons\n", "app/secret.md": "# Secret\n\npelicans\n"})
    app = bench.tree / "app"
    git(app, "init", "--quiet")
    git(app, "add", ".")
    git(app, "commit", "--quiet", "-m", "begin")
    return app


@pytest.fixture
def linked(bench: Bench, main: Path) -> Path:
    git(main, "worktree", "add", "--quiet", "../feature")
    bench.write({"feature/src/two.md": "# Two\n\nstorks\n"})
    return bench.tree / "feature"


def test_a_worktree_is_taken_in_where_its_place_lies_in_a_root(bench: Bench, steps: Steps, main: Path, linked: Path):
    bench.workspaces.use(main, "acme")
    bench.ingest.ingest([main], steps)

    (report,) = bench.ingest.ingest([linked], steps)

    assert (report.workspace, report.reason) == (ACME, "project-file")
    assert "linked git worktree" in report.sentence
    assert set(bench.stored(ACME)) == {
        "app/src/one.md",
        "app/secret.md",
        "feature/src/one.md",
        "feature/secret.md",
        "feature/src/two.md",
    }
    assert [root.path for root in bench.registry.roots()] == [bench.canonical("app")]


def test_a_worktrees_files_belong_to_the_project_of_the_main_one(bench: Bench, steps: Steps, main: Path, linked: Path):
    """Not to one that is called as the worktree's folder happens to be."""
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)

    assert {found.source.project for found in bench.stored().values()} == {"app"}


def test_only_the_part_of_a_worktree_is_taken_in_that_stands_for_a_root(
    bench: Bench, steps: Steps, main: Path, linked: Path
):
    bench.ingest.ingest([main / "src"], steps)

    (report,) = bench.ingest.ingest([linked / "src"], steps)

    assert set(bench.stored()) == {"app/src/one.md", "feature/src/one.md", "feature/src/two.md"}
    assert report.workspace == DEFAULT
    with pytest.raises(OutsideRootsError):
        bench.ingest.ingest([linked], steps)


def test_a_worktree_outside_every_root_is_refused(bench: Bench, steps: Steps, linked: Path):
    bench.write({"else/x.md": "# X\n\nx\n"})
    bench.ingest.ingest([bench.tree / "else"], steps)

    with pytest.raises(OutsideRootsError):
        bench.ingest.ingest([linked], steps)
    with pytest.raises(OutsideRootsError):
        bench.refresh.refresh_paths([linked], steps)


def test_the_first_ingest_of_a_worktree_binds_the_main_folder(bench: Bench, steps: Steps, main: Path, linked: Path):
    bench.ingest.ingest([linked / "src" / "two.md"], steps)

    assert [root.path for root in bench.registry.roots()] == [bench.canonical("app", "src")]
    assert set(bench.stored()) == {"feature/src/two.md"}


def test_a_dry_run_binds_and_records_nothing(bench: Bench, steps: Steps, main: Path, linked: Path):
    (report,) = bench.ingest.ingest([linked], steps, dry_run=True)

    assert report.sources[Outcome.ADDED] == 3
    assert bench.registry.roots() == ()
    assert bench.registry.worktrees() == ()


def test_a_root_that_holds_another_projects_worktree_does_not_take_it_in(
    bench: Bench, steps: Steps, main: Path, linked: Path
):
    """And a main worktree that holds linked ones has their files once only."""
    git(main, "worktree", "add", "--quiet", ".trees/inner")
    bench.workspaces.use(main, "acme")
    bench.write({"lab/x.md": "# X\n\nx\n"})
    linked.rename(bench.tree / "lab" / "feature")
    git(main, "worktree", "repair", str(bench.tree / "lab" / "feature"))

    bench.ingest.ingest([bench.tree / "lab"], steps)
    bench.ingest.ingest([main], steps)

    assert set(bench.stored()) == {"lab/x.md"}
    assert set(bench.stored(ACME)) == {"app/src/one.md", "app/secret.md"}


def test_a_worktree_inside_its_main_one_stays_once_it_was_asked_for(bench: Bench, steps: Steps, main: Path):
    git(main, "worktree", "add", "--quiet", ".trees/inner")
    bench.ingest.ingest([main], steps)

    bench.ingest.ingest([main / ".trees" / "inner"], steps)
    (ingested,) = bench.ingest.ingest([main], steps)
    (refreshed,) = bench.refresh.refresh_workspace(main, steps)

    kept = {"app/src/one.md", "app/secret.md", "app/.trees/inner/src/one.md", "app/.trees/inner/secret.md"}
    assert set(bench.stored()) == kept
    assert ingested.sources[Outcome.UNCHANGED] == refreshed.sources[Outcome.UNCHANGED] == 4


def test_a_refresh_of_everything_brings_indexed_worktrees_up_to_date(
    bench: Bench, steps: Steps, main: Path, linked: Path
):
    bench.write({"feature/src/four.md": "# Four\n\negrets\n"})
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)
    bench.write({"feature/src/three.md": "# Three\n\ncranes\n"})
    (linked / "src" / "two.md").unlink()

    (report,) = bench.refresh.refresh_workspace(main, steps)

    assert (report.sources[Outcome.ADDED], report.sources[Outcome.REMOVED]) == (1, 1)
    assert "feature/src/three.md" in bench.stored()


def test_what_lies_where_a_worktree_was_is_not_refreshed(bench: Bench, steps: Steps, main: Path, linked: Path):
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)
    git(main, "worktree", "remove", "--force", "../feature")
    bench.write({"feature/strange.md": "# Strange\n\nx\n"})

    bench.refresh.refresh_workspace(main, steps)

    assert "feature/strange.md" not in bench.stored()


def test_a_worktree_that_is_gone_is_missed_until_its_removal_is_accepted(
    bench: Bench, steps: Steps, main: Path, linked: Path
):
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)
    git(main, "worktree", "remove", "--force", "../feature")

    (held,) = bench.refresh.refresh_workspace(main, steps)
    (accepted,) = bench.refresh.refresh_workspace(main, steps, accept_removals=True)
    (after,) = bench.refresh.refresh_workspace(main, steps)

    assert [failure.source for failure in held.failures] == [str(bench.canonical("feature"))]
    assert accepted.sources[Outcome.REMOVED] == 3
    assert after.failures == ()


def purge_of(bench: Bench) -> Purge:
    return Purge(
        registry=bench.registry,
        stores=bench.stores,
        locks=bench.workspaces.locks,
        device_lock=FileDeviceLock(bench.stores.folder),
        targets=RealPurgeTargets(),
        clock=bench.workspaces.clock,
    )


@pytest.mark.parametrize("where", ["app", "feature"])
def test_a_purge_forgets_the_place_in_every_worktree_and_keeps_it_out(
    bench: Bench, steps: Steps, main: Path, linked: Path, where: str
):
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)
    purge, target = purge_of(bench), str(bench.canonical(where, "secret.md"))

    preview = purge.preview(DEFAULT, target)
    done = purge.apply(DEFAULT, target, digest=preview.digest)
    bench.ingest.ingest([main], steps)
    (again,) = bench.ingest.ingest([linked], steps)

    both = {str(bench.canonical(place, "secret.md")) for place in ("app", "feature")}
    assert set(done.sources) == both
    assert again.sources[Outcome.EXCLUDED] == 1
    assert not {name for name in bench.stored() if "secret" in name}
    assert [exclusion.target for exclusion in bench.registry.exclusions(DEFAULT)] == [target]


def test_a_purge_in_a_worktree_that_was_never_ingested_reaches_the_main_one(
    bench: Bench, steps: Steps, main: Path, linked: Path
):
    bench.ingest.ingest([main], steps)

    done = purge_of(bench).apply(DEFAULT, str(bench.canonical("feature", "secret.md")))
    (again,) = bench.ingest.ingest([main], steps)

    assert done.sources == (str(bench.canonical("app", "secret.md")),)
    assert again.sources[Outcome.EXCLUDED] == 1


def test_a_worktree_made_later_keeps_out_what_was_purged(bench: Bench, steps: Steps, main: Path):
    bench.ingest.ingest([main], steps)
    purge_of(bench).apply(DEFAULT, str(bench.canonical("app", "src")), recursive=True)
    git(main, "worktree", "add", "--quiet", "../late")
    late = bench.tree / "late"
    refuse_what_was_purged(bench, steps, late)
    assert bench.registry.worktrees() == (), "nothing is known of it yet but what lies there"

    (dry,) = bench.ingest.ingest([late], steps, dry_run=True)
    (report,) = bench.ingest.ingest([late], steps)

    assert dry.sources == report.sources
    assert report.sources[Outcome.EXCLUDED] == 1
    assert "late/src/one.md" not in bench.stored()
    refuse_what_was_purged(bench, steps, late)


def refuse_what_was_purged(bench: Bench, steps: Steps, worktree: Path) -> None:
    for target in (worktree / "src", worktree / "src" / "one.md"):
        with pytest.raises(ExcludedSourceError):
            bench.ingest.ingest([target], steps)
        with pytest.raises(ExcludedSourceError):
            bench.refresh.refresh_paths([target], steps)


def test_what_is_restored_comes_back_in_every_worktree(bench: Bench, steps: Steps, main: Path, linked: Path):
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)
    target = str(bench.canonical("feature", "secret.md"))
    purge_of(bench).apply(DEFAULT, target)

    assert bench.registry.remove_exclusions(DEFAULT, [target]) == 1
    bench.ingest.ingest([main], steps)
    bench.ingest.ingest([linked], steps)

    assert {"app/secret.md", "feature/secret.md"} <= set(bench.stored())


def test_an_exclusion_of_a_folder_around_a_main_worktree_covers_its_linked_ones(bench: Bench):
    bench.registry.record_worktree(Worktree(folder=PurePosixPath("/trees/feature"), main=PurePosixPath("/code/app")))
    bench.registry.add_exclusion(Exclusion(workspace=DEFAULT, target="/code", recursive=True, added_at=""))

    (exclusion,) = bench.registry.exclusions(DEFAULT)

    assert exclusion.elsewhere == (PurePosixPath("/trees/feature"),)
