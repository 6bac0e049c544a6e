/** Counts the buyers that were between reading and writing at the same time. */

/**
 * Returns the spans of time in which the number of holders stayed the same. Late are those
 * whose lock has ended without them knowing.
 */
export function overlaps(turns, endMicros) {
  const changes = [];
  const add = (from, to, kind) => {
    if (to > from) {
      changes.push({ micros: from, kind, step: 1 }, { micros: to, kind, step: -1 });
    }
  };
  for (const turn of turns) {
    if (turn.holdingMicros > 0) {
      const end = turn.endMicros || endMicros;
      const valid = turn.lostMicros > 0 ? Math.min(turn.lostMicros, end) : end;
      add(turn.holdingMicros, valid, 'holders');
      add(valid, end, 'late');
    }
  }
  changes.sort((a, b) => a.micros - b.micros || a.step - b.step);
  return spans(changes);
}

function spans(changes) {
  const found = [];
  const now = { holders: 0, late: 0 };
  changes.forEach((change, i) => {
    now[change.kind] += change.step;
    const next = changes[i + 1];
    if (next && next.micros > change.micros && now.holders + now.late > 0) {
      found.push({ from: change.micros, to: next.micros, ...now });
    }
  });
  return found;
}
