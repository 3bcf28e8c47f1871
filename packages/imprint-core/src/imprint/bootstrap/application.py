"""The application: every service, built when it is first asked for.

So a command pays for what it uses; opening an application reads nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import attrs

from imprint.adapters.clocks import SystemClock
from imprint.adapters.config_files import ConfigFile
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.project_folders import find_homes
from imprint.adapters.user_folders import find_config_file, find_data_folder
from imprint.domain.setting_sections import Settings
from imprint.domain.settings import Layer, SettingsReport, environment_layer, resolve

if TYPE_CHECKING:
    from imprint.adapters.locks import FileLocks
    from imprint.adapters.registry_db import SqliteRegistry
    from imprint.adapters.store_db import SqliteStoreOpener
    from imprint.bootstrap.chosen_plugins import ChosenPlugins
    from imprint.bootstrap.transfers import Transfers
    from imprint.domain.redaction import Redact
    from imprint.plugins.registry import PluginRegistry
    from imprint.services.completion import Completion
    from imprint.services.configuration import Configuration
    from imprint.services.connect import Connections
    from imprint.services.diagnose import Diagnosis
    from imprint.services.embedding import Embedding
    from imprint.services.exclusions import Exclusions
    from imprint.services.extraction import Extractors
    from imprint.services.facts import WorkspaceFacts
    from imprint.services.homes import Homes
    from imprint.services.indexing import Indexing
    from imprint.services.ingest import Ingest
    from imprint.services.jobs import Jobs
    from imprint.services.kept_open import KeptOpen
    from imprint.services.learn import Learning
    from imprint.services.memories import Memories
    from imprint.services.overview import Overview
    from imprint.services.purge import Purge
    from imprint.services.purge_verification import PurgeVerifier
    from imprint.services.reading import Reading
    from imprint.services.redaction import Rescan
    from imprint.services.refresh import Refresh
    from imprint.services.search import Search
    from imprint.services.workspace_roots import WorkspaceRoots
    from imprint.services.workspaces import Workspaces

__all__ = ["Application", "open_application"]


@attrs.define(kw_only=True)
class Application:
    """Imprint on one data folder, as one process uses it. Close it, or use it in a `with` statement.

    Attributes:
        environ: The environment variables that were given.
        cwd: The directory it works from, where there is one.
    """

    environ: Mapping[str, str]
    cwd: Path | None
    _data_dir: Path | None
    _config: Path | None
    _layers: tuple[Layer, ...]
    _kept: "KeptOpen | None" = None
    _resources: ExitStack = attrs.field(factory=ExitStack)
    _clock: SystemClock = attrs.field(factory=SystemClock)

    @cached_property
    def data_folder(self) -> DataFolder:
        """Where everything stored lies; it need not exist yet."""
        return DataFolder(self._data_dir.absolute() if self._data_dir else find_data_folder(self.environ))

    @cached_property
    def config(self) -> ConfigFile:
        """The configuration file, which need not exist."""
        return ConfigFile(self._config.absolute() if self._config else find_config_file())

    @cached_property
    def settings_report(self) -> SettingsReport:
        """The settings and where each came from, as they were when first asked for."""
        return resolve([self.config.layer(), environment_layer(self.environ), *self._layers])

    @property
    def settings(self) -> Settings:
        return self.settings_report.settings

    @cached_property
    def configuration(self) -> "Configuration":
        from imprint.services.configuration import Configuration

        return Configuration(self.config, lambda: self._registry)

    @cached_property
    def plugins(self) -> "PluginRegistry":
        from imprint.plugins.registry import PluginRegistry

        return PluginRegistry(blocked=self.settings.plugins.blocked)

    @cached_property
    def homes(self) -> "Homes":
        """The user's home on this system and those of other systems; looking for these costs something.

        Raises:
            NoHomeError: The user has no home folder.
        """
        from imprint.bootstrap.homes import open_homes

        return open_homes(self.environ, self.plugins)

    @cached_property
    def connections(self) -> "Connections":
        from imprint.bootstrap.connections import open_connections

        return open_connections(self)

    @cached_property
    def workspaces(self) -> "Workspaces":
        from imprint.bootstrap.workspaces import open_workspaces

        return open_workspaces(self)

    @cached_property
    def roots(self) -> "WorkspaceRoots":
        from imprint.services.workspace_roots import WorkspaceRoots

        return WorkspaceRoots(self.workspaces)

    @cached_property
    def ingest(self) -> "Ingest":
        from imprint.services.ingest import Ingest

        return Ingest(self._indexing, self.roots)

    @cached_property
    def refresh(self) -> "Refresh":
        from imprint.services.refresh import Refresh

        return Refresh(self._indexing, self.roots)

    @cached_property
    def learning(self) -> "Learning":
        from imprint.bootstrap.learning import open_learning

        return open_learning(self)

    @cached_property
    def jobs(self) -> "Jobs":
        from imprint.bootstrap.jobs import open_background_jobs

        return open_background_jobs(self)

    @cached_property
    def embedding(self) -> "Embedding":
        from imprint.bootstrap.embedding_workers import open_embedding_workers
        from imprint.services.embedding import Embedding

        return Embedding(
            open_embedder=self._chosen.embedder_opener,
            open_backend=self._chosen.open_backend,
            delete_index=self._chosen.delete_index,
            clock=self._clock,
            open_workers=lambda: open_embedding_workers(self.settings, self.plugins),
        )

    @cached_property
    def completion(self) -> "Completion":
        from imprint.services.completion import Completion

        return Completion(stores=self._stores, locks=self._locks, embed=self.embedding.run)

    @cached_property
    def search(self) -> "Search":
        from imprint.services.search import Search

        return Search(self._stores, self._chosen.embedder_opener, self._chosen.open_searched_backend, self._clock)

    @cached_property
    def reading(self) -> "Reading":
        from imprint.services.reading import Reading

        return Reading(self._stores)

    @cached_property
    def redact(self) -> "Redact":
        """Takes secrets out of a text, but for what the settings allow.

        Raises:
            InvalidSettingError: The settings allow what is no expression.
        """
        from imprint.domain.redaction import Redactor

        return Redactor(self.settings.redaction.allow).redact

    @cached_property
    def rescan(self) -> "Rescan":
        from imprint.services.redaction import Rescan

        return Rescan(
            registry=self._registry,
            stores=self._stores,
            locks=self._locks,
            redact=self.redact,
            embed=self.embedding.run,
        )

    @cached_property
    def memories(self) -> "Memories":
        from imprint.services.memories import Memories

        embed = self.embedding.run_after if self._kept else None
        return Memories(self._stores, self._extractors, self._clock, self.redact, embed)

    @cached_property
    def facts(self) -> "WorkspaceFacts":
        from imprint.services.facts import WorkspaceFacts

        return WorkspaceFacts(self._stores, self._clock, self.redact)

    @cached_property
    def purge(self) -> "Purge":
        from imprint.bootstrap.purges import open_purge

        return open_purge(self)

    @cached_property
    def purge_verifier(self) -> "PurgeVerifier":
        from imprint.adapters.text_searches import DataFolderSearch
        from imprint.services.purge_verification import PurgeVerifier

        return PurgeVerifier(purge=self.purge, search=DataFolderSearch(self.data_folder))

    @cached_property
    def exclusions(self) -> "Exclusions":
        from imprint.services.exclusions import Exclusions

        return Exclusions(self._registry)

    @cached_property
    def transfers(self) -> "Transfers":
        from imprint.bootstrap.transfers import Transfers

        return Transfers(self)

    @cached_property
    def overview(self) -> "Overview":
        from imprint.services.overview import Overview

        return Overview(self._registry, self._stores, self._locks, self.data_folder.connected_clients)

    @cached_property
    def diagnosis(self) -> "Diagnosis":
        from imprint.bootstrap.diagnoses import open_diagnosis

        return open_diagnosis(self)

    @cached_property
    def _registry(self) -> "SqliteRegistry":
        from imprint.adapters.registry_db import open_registry

        return self._resources.enter_context(open_registry(self.data_folder, self._clock))

    @cached_property
    def _locks(self) -> "FileLocks":
        from imprint.adapters.locks import FileLocks

        return FileLocks(self.data_folder, self._clock)

    @cached_property
    def _stores(self) -> "SqliteStoreOpener":
        from imprint.adapters.store_db import SqliteStoreOpener

        return SqliteStoreOpener(self.data_folder, self._registry, self._clock)

    @cached_property
    def _extractors(self) -> "Extractors":
        from imprint.services.extraction import Extractors

        return Extractors(self.plugins.handles("extractors"))

    @cached_property
    def _indexing(self) -> "Indexing":
        from imprint.adapters.files import RealFileTree
        from imprint.bootstrap.preparation import prepare_in_parallel
        from imprint.services.indexing import Indexing

        files = RealFileTree(homes=find_homes(self.environ), environ=self.environ)
        return Indexing(
            files=files,
            stores=self._stores,
            registry=self._registry,
            locks=self._locks,
            clock=self._clock,
            preparation=prepare_in_parallel(files, self.settings, lambda: self._extractors),
            embed=self.embedding.run,
        )

    @cached_property
    def _chosen(self) -> "ChosenPlugins":
        from imprint.bootstrap.chosen_plugins import ChosenPlugins

        return ChosenPlugins(self.settings, self.plugins, self.data_folder, self._kept)

    def branch(self, kept: "KeptOpen") -> "Application":
        """The same application for one call on a thread of its own: its databases are its own, settings are shared.

        Args:
            kept: Used by all branches for what is worth keeping open between calls.
        """
        branch = Application(
            environ=self.environ,
            cwd=self.cwd,
            data_dir=self.data_folder.path,
            config=self.config.path,
            layers=self._layers,
            kept=kept,
        )
        branch.settings_report = self.settings_report
        branch.plugins = self.plugins
        return branch

    def parse_moment(self, text: str) -> str:
        """A moment as people write it, in UTC.

        Raises:
            InvalidTimeError: It is none.
        """
        from imprint.domain.times import parse_moment

        return parse_moment(text, now=self._clock.now(), zone=self._clock.zone())

    def close(self) -> None:
        """Let go of files and databases."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def open_application(
    *,
    environ: Mapping[str, str],
    cwd: Path | None = None,
    data_dir: Path | None = None,
    config: Path | None = None,
    arguments: Sequence[Layer] = (),
) -> Application:
    """Compose Imprint for a process.

    Args:
        environ: Environment variables.
        cwd: The directory the process works from.
        data_dir: Instead of `IMPRINT_DATA_DIR` and the platform's place.
        config: Instead of the platform's place for `config.toml`.
        arguments: Settings given on the command line.
    """
    return Application(environ=environ, cwd=cwd, data_dir=data_dir, config=config, layers=tuple(arguments))
