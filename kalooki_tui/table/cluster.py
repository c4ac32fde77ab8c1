"""The matches of a simulation on a cluster of Dask: other processes, or other machines, that have this program too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kalooki_tui.table.simulation import MatchNotes, Simulation, play_one


class NotInstalled(Exception):
    """The library of the cluster is not there."""


def simulate_on(simulation: Simulation, address: str, numbers: Sequence[int]) -> Iterator[MatchNotes]:
    """Play matches on the cluster whose scheduler has the address, each as its notes when it is over, in any order.

    A match is decided by the simulation and its number, so that where it is played changes nothing.

    Raises:
        NotInstalled: the extra `cluster` is missing.
        ConnectionError: nobody answers at the address, or not in time.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise NotInstalled from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no cluster answers at {address}: {error}") from None
    with client:
        # Sent once and not with every match.
        shared = client.scatter(simulation, broadcast=True)
        # Pure, so that a match that is lost with its worker is played again by another.
        for future in as_completed(client.map(lambda number, what: play_one(what, number), list(numbers), what=shared)):
            yield future.result()
            future.release()
