
import math


def curve(symbol, size):
    """Time by message size: linear between points, constant outside; None if unknown."""
    known = PARAMETERS.get(symbol)
    if known is None:
        return None
    if "fixed" in known:
        return known["fixed"] + known["per_byte"] * size
    points, limit = known["points"], PARAMETERS.get("S")
    if limit is not None and any(at in (limit, limit + 1) for at, _ in points):
        # No interpolation between points below and above S.
        same_side = [point for point in points if (point[0] <= limit) == (size <= limit)]
        points = same_side or points
    if size <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in zip(points, points[1:]):
        if size <= right:
            return low + (high - low) * ((size - left) / (right - left))
    return points[-1][1]


def mechanism(size):
    """Protocol of a message: eager, RAT or RTA; None if unknown."""
    if size <= PARAMETERS["S"]:
        return "eager"
    known = [name for start, name in PARAMETERS.get("transfer", []) if start <= size]
    return known[-1] if known and known[-1] in ("RAT", "RTA") else None


def loggpo(size, k):
    protocol = mechanism(size)
    if protocol is None:
        return None
    p, start, copy = PARAMETERS, curve("O_i", size), curve("O_c", size)
    control = {"eager": 0, "RAT": 3, "RTA": 2}[protocol]
    total = start + p["G"] * k + p["L"] * max(control, 1) + p["O'"] * control
    return total + copy if protocol == "eager" else total


def loggps(size, k):
    handshake = 0 if size <= PARAMETERS["S"] else 2 * logp(1, 0)
    return logp(size, k) + PARAMETERS["G"] * k + handshake


def logh(size, k):
    if PARAMETERS["tiers"] < 2:
        return None
    # Inside a node there is no latency.
    latency = PARAMETERS["L"] if PARAMETERS["reach"] == "inter" else 0
    return curve("o_s", size) + curve("o_r", size) + PARAMETERS["G"] * k + latency


def loggp(size, k):
    return curve("o_s", size) + PARAMETERS["L"] + curve("o_r", size) + PARAMETERS["G"] * k


def plogp(size, k):
    return PARAMETERS["L"] + curve("g(m)", size)


def hockney(size, k):
    return PARAMETERS["t_s"] + PARAMETERS["t_b"] * size


def logp(size, k):
    return curve("o_s", size) + PARAMETERS["L"] + curve("o_r", size)


def p2p(size):
    """Time in microseconds from the send call to the end of the receive, by the richest model."""
    for model in (loggpo, loggps, logh, loggp, plogp, hockney, logp):
        try:
            time = model(size, max(size - 1, 0))
        except (KeyError, TypeError):
            continue  # the model needs an unknown parameter
        if time is not None:
            return time
    raise ValueError("too few parameters are known to predict a message")


def form(closed_form, procs):
    """Value of a closed form at procs processes; None if negative or not finite."""
    log = math.log2(procs)
    basis = {"1": 1, "log p": log, "p": procs, "p log p": procs * log}
    (kind, terms), = closed_form.items()
    total = sum(value * basis[times] ** power for value, times, power in terms)
    if kind == "one_over_sum":
        total = 1 / total if total else math.inf
    return total if 0 <= total < math.inf else None


def collective(op, procs, size):
    """Time of an operation in microseconds; bytes_are defines size. None: the form has no value."""
    if procs < 2:
        raise ValueError("a collective operation needs 2 processes or more")
    known = PARAMETERS["collectives"][op]
    low, high = known["procs"]
    if low == high != procs:
        return None  # fitted at one number of processes alone
    parts = [form(known["T0"], procs)]
    parts += [form(known[key], procs) for key in ("t_b", "t_c") if key in known]
    if None in parts:
        return None
    return parts[0] + sum(each * size for each in parts[1:])
