"""The rules: one file each, one row each in RULES, in the order of their codes."""

from __future__ import annotations

from memstile.core.rules import (
    ms101_index_grew_over_cap,
    ms102_index_over_cap,
    ms103_index_over_soft_cap,
    ms104_index_past_host_window,
    ms105_index_shrank_sharply,
    ms106_index_unmeasurable,
    ms201_vault_not_ignored,
    ms202_vault_tracked,
    ms203_vault_staged,
    ms204_ignored_only_locally,
    ms205_vault_re_included,
    ms206_vault_nested_repository,
    ms207_vault_symlink_not_ignored,
    ms208_git_gave_no_answer,
    ms209_vault_in_history,
    ms901_setting_not_usable,
    ms902_settings_loosened,
)
from memstile.core.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    ms101_index_grew_over_cap.RULE,
    ms102_index_over_cap.RULE,
    ms103_index_over_soft_cap.RULE,
    ms104_index_past_host_window.RULE,
    ms105_index_shrank_sharply.RULE,
    ms106_index_unmeasurable.RULE,
    ms201_vault_not_ignored.RULE,
    ms202_vault_tracked.RULE,
    ms203_vault_staged.RULE,
    ms204_ignored_only_locally.RULE,
    ms205_vault_re_included.RULE,
    ms206_vault_nested_repository.RULE,
    ms207_vault_symlink_not_ignored.RULE,
    ms208_git_gave_no_answer.RULE,
    ms209_vault_in_history.RULE,
    ms901_setting_not_usable.RULE,
    ms902_settings_loosened.RULE,
)
"""Codes are for ever: a retired rule keeps its row and names its heir."""
