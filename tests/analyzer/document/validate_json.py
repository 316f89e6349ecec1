#!/usr/bin/env python3
"""validate_json.py SCHEMA FILE: exits with 0 where the JSON follows its schema, 1 where it does not, and 77 where
the Debian package python3-jsonschema is missing."""

import json
import sys
from pathlib import Path

try:
    import jsonschema
except ImportError:
    sys.exit(77)

schema, report = (json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:])
validator = jsonschema.Draft202012Validator(schema)
validator.check_schema(schema)
wrong = list(validator.iter_errors(report))
for one in wrong[:10]:
    print(f"{one.json_path}: {one.message}", file=sys.stderr)
sys.exit(1 if wrong else 0)
