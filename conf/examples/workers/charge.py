#!/usr/bin/env python3
"""A worker for jobs of the type charge-card. Python 3.9 or newer, standard library only.

    python3 charge.py http://localhost:5001/elsa/api

Stops on SIGTERM and Ctrl-C once the job that it has is done. Whatever dies before a result is
committed, the job goes to the next worker when its lease expires. SKEIN_API_KEY: the key of an
application with the role worker.
"""

import json
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request

API = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:5001/elsa/api"
WORKER = f"{socket.gethostname()}-{os.getpid()}"
LEASE_SECONDS = 30
stopping = threading.Event()


def post(path, body, timeout=30):
    """Returns the answer; raises HTTPError when it is refused, OSError when nobody answers."""
    request = urllib.request.Request(API + path, json.dumps(body).encode(), method="POST")
    request.add_header("Content-Type", "application/json")
    if "SKEIN_API_KEY" in os.environ:
        request.add_header("Authorization", "ApiKey " + os.environ["SKEIN_API_KEY"])
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.load(answer)


def charge(payload, key):
    """The work. It may run again when a worker dies: give the key to the bank, which knows it then."""
    if payload["amount"] > 100_000:
        return {"outcome": "Refused"}
    return {"result": {"charged": payload["amount"], "key": key}}


def keep_lease(job, done):
    """Extends the lease until the work is done."""
    while not done.wait(LEASE_SECONDS / 3):
        try:
            post(f"/jobs/{job['id']}/heartbeat", {"lease": job["lease"], "leaseFor": f"PT{LEASE_SECONDS}S"})
        except urllib.error.HTTPError as refused:
            print(f"{job['id']}: the lease is lost: {refused.code}", flush=True)
            return
        except OSError:
            pass  # Tried again in a moment; the lease is three times as long.


def report(job, action, body):
    """Sends the same result until somebody answers: it has its effect once."""
    while True:
        try:
            post(f"/jobs/{job['id']}/{action}", {"lease": job["lease"], **body})
            return
        except urllib.error.HTTPError as refused:
            if refused.code < 500 and refused.code != 429:
                print(f"{job['id']}: {refused.code} {refused.read().decode()}", flush=True)
                return
        except OSError as error:
            print(f"{job['id']}: {error}", flush=True)
        time.sleep(1)


def work(job):
    done = threading.Event()
    keeper = threading.Thread(target=keep_lease, args=(job, done), daemon=True)
    keeper.start()
    try:
        result = charge(job["payload"], job["key"])
    except Exception as error:  # Tried again as the activity's retry policy says.
        report(job, "fail", {"error": repr(error), "retryable": True})
    else:
        report(job, "complete", result)
        print(f"{job['id']}: {result}", flush=True)
    finally:
        done.set()


def main():
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopping.set())
    while not stopping.is_set():
        try:
            leased = post(
                "/jobs/lease",
                {
                    "types": ["charge-card"],
                    "worker": WORKER,
                    "max": 1,
                    "leaseFor": f"PT{LEASE_SECONDS}S",
                    "wait": "PT5S",
                },
            )
        except OSError as error:  # HTTPError is one too.
            print(error, flush=True)
            stopping.wait(1)
            continue
        for job in leased["items"]:
            work(job)


if __name__ == "__main__":
    main()
