from imprint.domain.purge import Exclusion
from imprint.domain.purge_reports import PendingWork, PurgeCheck, PurgeReport, PurgeVerification
from imprint.domain.sources import SourceKey, WorkspaceName

ACME = WorkspaceName("acme")
EXCLUSION = Exclusion(workspace=ACME, target="/w/a", recursive=True, added_at="2026-01-31T12:00:00.000Z")


def test_a_report_is_the_object_that_others_build_on():
    report = PurgeReport(
        workspace=ACME,
        target="/w/a",
        recursive=True,
        applied=True,
        digest="d",
        sources=(SourceKey("/w/a/1"), SourceKey("/w/a/2")),
        chunks=3,
        vectors=4,
        linked_facts=5,
        orphan_facts=6,
        late=7,
        pending=(PendingWork.WAL, PendingWork.SCRUB),
        exclusion=EXCLUSION,
    )

    assert report.as_json() == {
        "workspace": "acme",
        "target": "/w/a",
        "recursive": True,
        "applied": True,
        "digest": "d",
        "sources": ["/w/a/1", "/w/a/2"],
        "chunks": 3,
        "vectors": 4,
        "facts": {"linked": 5, "orphan": 6},
        "late": 7,
        "pending": ["wal", "scrub"],
        "exclusion": {
            "workspace": "acme",
            "target": "/w/a",
            "recursive": True,
            "added": "2026-01-31T12:00:00.000Z",
            "conversations": 0,
        },
    }


def test_a_preview_of_what_is_not_excluded_says_so():
    report = PurgeReport(workspace=ACME, target="text:a", recursive=False, applied=False, digest="d")

    assert report.as_json()["exclusion"] is None
    assert report.as_json()["applied"] is False


def test_a_verification_is_clean_when_every_check_passes():
    passed = PurgeCheck(name="rows", passed=True, detail="0 sources")
    failed = PurgeCheck(name="text", passed=False, detail="1 line")

    def verification(*checks: PurgeCheck) -> PurgeVerification:
        return PurgeVerification(
            workspace=ACME, target="/w/a", recursive=False, checks=checks, exclusion=None, untouched=("backups",)
        )

    assert verification(passed).is_clean
    assert not verification(passed, failed).is_clean
    assert verification(failed).as_json() == {
        "workspace": "acme",
        "target": "/w/a",
        "recursive": False,
        "clean": False,
        "checks": [{"name": "text", "passed": False, "detail": "1 line"}],
        "exclusion": None,
        "untouched": ["backups"],
    }
