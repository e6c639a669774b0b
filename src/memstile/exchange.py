"""Exchange two files in one step, so that neither name is ever without a file and no content is dropped."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable

Exchange = Callable[[str, str], bool]
"""Takes two paths of one file system. False where the system cannot do it; OSError where one of them is not there."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # linux/fs.h
_RENAME_SWAP = 2  # sys/stdio.h of macOS
_UNABLE = frozenset((errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM))
"""What a file system or a kernel says that knows no exchange; EPERM comes from sandboxes that filter system calls.

Source: renameat2(2), renamex_np(2).
"""


def exchange(one: str, other: str) -> bool:
    """Exchange two files. Result: as Exchange says. Linux by renameat2, macOS by renamex_np (not tried there)."""
    call = _CALLS.get(sys.platform)
    code = call(os.fsencode(one), os.fsencode(other)) if call else errno.ENOSYS
    if code and code not in _UNABLE:
        raise OSError(code, os.strerror(code), one, None, other)
    return not code


def _on_linux(one: bytes, other: bytes) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    try:
        failed = library.renameat2(_AT_FDCWD, one, _AT_FDCWD, other, ctypes.c_uint(_RENAME_EXCHANGE))
    except AttributeError:  # glibc has it since 2.28
        return errno.ENOSYS
    return ctypes.get_errno() if failed else 0


def _on_macos(one: bytes, other: bytes) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    failed = library.renamex_np(one, other, ctypes.c_uint(_RENAME_SWAP))
    return ctypes.get_errno() if failed else 0


_CALLS = {"linux": _on_linux, "darwin": _on_macos}
