"""Keys under which file tools of MCP servers take their arguments, as data: core/tool_shapes.py reads them."""

from __future__ import annotations

PATH_KEYS = ("file_path", "path", "filePath", "filepath", "target_file", "file", "filename", "notebook_path", "uri",
             "relative_path", "relativePath", "absolute_path", "absolutePath", "fileName", "file_name")  # fmt: skip
TARGET_KEYS = ("destination", "destination_path", "destinationPath", "dest", "dst", "dest_path", "target",
               "target_path", "new_path", "newPath", "to")  # fmt: skip
NAME_KEYS = ("new_name", "newName")
"""A new name in the same folder, or a new path."""

SOURCE_KEYS = ("source", "source_path", "sourcePath", "src", "old_path", "oldPath", "from", *PATH_KEYS)
CONTENT_KEYS = ("content", "file_text", "contents", "text", "new_text", "fileContent", "file_content", "data", "body",
                "new_content", "newContent")  # fmt: skip
EDIT_KEYS = (
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldString", "newString"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
)
ALL_KEYS = ("replace_all", "replaceAll", "allow_multiple")
PATCH_KEYS = ("patchText", "patch", "input", "command", "patch_text", "diff")

KNOWN = frozenset(
    (
        *PATH_KEYS,
        *TARGET_KEYS,
        *CONTENT_KEYS,
        *ALL_KEYS,
        *PATCH_KEYS,
        "mode",
        *(key for row in EDIT_KEYS for key in row),
    )
)
