"""Settings for every test: a busy machine must not fail a property test by its clock."""

from __future__ import annotations

import hypothesis

hypothesis.settings.register_profile("memstile", deadline=None, print_blob=True)
hypothesis.settings.load_profile("memstile")
