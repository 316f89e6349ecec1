"""A site's study once more, from what `fathom dump` and `fathom report` print of each log.

run: the numbers of one log. groups: whose runs these are, and what accounting has. blocks: every table and drawing of a study. compare: the document
beside them.
"""
from .compare import differences_of_study
from .run import runs_of
from .groups import Choice, Site, accounting_of, as_sacct_prints
