"""Compare two schemas: the input or output schemas of a tool go in, findings come out.

`inputs` and `outputs` ask; `walk` goes through both schemas side by side, in the one form that `forms` brings them to,
and `scalars`, `values`, `arrays`, `objects` and `properties` say what changed; `witness` finds arguments that show it.
"""

from toolc.diff.schemas.inputs import compare_inputs
from toolc.diff.schemas.outputs import compare_outputs

__all__ = ["compare_inputs", "compare_outputs"]
