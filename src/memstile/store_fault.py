"""Tell what makes the store unusable: one error of our own for those of SQLite and of the system."""

from __future__ import annotations

from errno import EACCES, EDQUOT, EEXIST, ENOENT, ENOSPC, ENOTDIR, EPERM, EROFS

_BUSY, _LOCKED = 5, 6
_KINDS = {_BUSY: "locked", _LOCKED: "locked", 8: "read-only", 11: "corrupt", 13: "full", 26: "corrupt"}
_OF_SYSTEM = {
    **dict.fromkeys((EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EEXIST), "read-only"),
    **dict.fromkeys((ENOSPC, EDQUOT), "full"),
}


class StoreError(Exception):
    """The store cannot be used. kind: locked, read-only, corrupt, full, newer (schema), or unusable. No path in it."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"the store is {kind}: {message}")
        self.kind = kind


def fault_of(error: Exception) -> StoreError:
    """Tell an error of SQLite or of the system in our words."""
    if isinstance(error, OSError):
        return StoreError(_OF_SYSTEM.get(error.errno or 0, "unusable"), error.strerror or type(error).__name__)
    code = getattr(error, "sqlite_errorcode", 0)
    return StoreError(_KINDS.get(code & 0xFF, "unusable"), str(error))
