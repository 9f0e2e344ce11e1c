"""Serves a store as `tests.server.serve` does, with few descriptors; on request without fitting itself to them.

python -m tests.attack.limited_serve SOFT HARD fitted|unfitted STORE
"""

import resource
import sys

from cruxfinder.server import serving_http
from tests.server.serve import main

if __name__ == "__main__":
    soft, hard, fitted = sys.argv[1:4]
    del sys.argv[1:4]
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(soft), int(hard)))
    if fitted == "unfitted":
        serving_http.fitting_connections = lambda wanted: wanted
    main()
