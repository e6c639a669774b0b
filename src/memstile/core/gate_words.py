"""The words of the turn gate: classes of tool call, states of a turn, levels of a guard, and every reason code."""

from __future__ import annotations

from memstile.core.choice import Enum, IntEnum


class CallClass(Enum):
    """What a tool call is to the memory.

    CONTROL declares the classification. SEARCH is a read that counts as recall, READ one that does not. DESTRUCTIVE is
    a write that also deletes. OTHER is out of scope.
    """

    CONTROL = "control"
    SEARCH = "search"
    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    OTHER = "other"


class Classification(Enum):
    """What the model declared its turn to be; UNKNOWN until it does."""

    UNKNOWN = "unknown"
    SIMPLE = "simple"
    COMPLEX = "complex"


class Recall(Enum):
    """How far the memory was searched in this turn."""

    IDLE = "idle"
    IN_FLIGHT = "in_flight"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Level(IntEnum):
    """What a guard does about what it finds."""

    OFF = 0
    WARN = 1
    DENY = 2


WRITES = (CallClass.WRITE, CallClass.DESTRUCTIVE)

ALLOW_READ_ONLY = "ALLOW_READ_ONLY"
ALLOW_CONTROL = "ALLOW_CONTROL"
ALLOW_OUT_OF_SCOPE = "ALLOW_OUT_OF_SCOPE"
ALLOW_SIMPLE = "ALLOW_SIMPLE"
ALLOW_RECALL_OK = "ALLOW_RECALL_OK"

CLASSIFICATION_REQUIRED = "CLASSIFICATION_REQUIRED"
PENDING_IN_BATCH = "MEMORY_LOOKUP_PENDING_IN_BATCH"
LOOKUP_FAILED = "MEMORY_LOOKUP_FAILED"
CREATE_REQUIRES_SEARCH = "CREATE_REQUIRES_SEARCH"
LOOKUP_REQUIRED = "MEMORY_LOOKUP_REQUIRED"

CREDENTIAL = "SECRET_PATTERN_DETECTED"
FIXTURE = "TEST_FIXTURE_LABEL_IN_PROJECT"
DUPLICATE = "DUPLICATE_WRITE_SAME_TURN"
OVERWRITE = "OVERWRITE_REQUIRES_READ"

RECLASSIFIED = "RECLASSIFIED"
NOT_RECALL = "READ_ONLY_NOT_RECALL"
RECALL_EMPTY = "RECALL_EMPTY"
UNKNOWN_TOOL = "UNKNOWN_MEMORY_TOOL"

INTERNAL_ERROR = "POLICY_INTERNAL_ERROR"
"""Our own failure: no verdict of the policy."""

ALLOWS = (ALLOW_READ_ONLY, ALLOW_CONTROL, ALLOW_OUT_OF_SCOPE, ALLOW_SIMPLE, ALLOW_RECALL_OK)
GUARDED = (CREDENTIAL, FIXTURE, DUPLICATE, OVERWRITE)
"""Codes of the guards: a refusal at deny, an observation at warn."""

DENIALS = (
    CLASSIFICATION_REQUIRED,
    PENDING_IN_BATCH,
    LOOKUP_FAILED,
    CREATE_REQUIRES_SEARCH,
    LOOKUP_REQUIRED,
    *GUARDED,
)
OBSERVATIONS = (RECLASSIFIED, NOT_RECALL, RECALL_EMPTY, UNKNOWN_TOOL, *GUARDED)
