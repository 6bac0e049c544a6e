/** What is known of the purchases of the last seconds. */

const KEPT_MICROS = 20_000_000;

const turns = new Map();

export function forgetTurns() {
  turns.clear();
}

export function keepTurns(changed, nowMicros) {
  changed.forEach((turn) => turns.set(`${turn.jvm}/${turn.number}`, turn));
  for (const [key, turn] of turns) {
    if (turn.endMicros > 0 && nowMicros - turn.endMicros > KEPT_MICROS) {
      turns.delete(key);
    }
  }
}

export const allTurns = () => turns.values();
