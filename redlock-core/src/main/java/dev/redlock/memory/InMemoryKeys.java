package dev.redlock.memory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Claim.Predecessor;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * The keys and counters of one in-memory node, with the operations on them. This class is
 * not thread-safe.
 */
final class InMemoryKeys {

	/**
	 * How far the first fence of a key may be below the time of the node. A proposed
	 * fence is the time of a client, so it is slightly old when it reaches the node.
	 */
	private static final long LENIENCY_MICROS = 250_000;

	private static final long RETENTION_MICROS = micros(LockNode.RETENTION);

	private final Map<String, Entry> entries = new HashMap<>();

	private final Map<String, Long> counters = new HashMap<>();

	private final Map<String, Mark> marks = new HashMap<>();

	private final long clockToleranceMicros;

	InMemoryKeys(long clockToleranceMicros) {
		this.clockToleranceMicros = clockToleranceMicros;
	}

	Vote acquire(Claim claim, long proposal, long nowMicros) {
		if (proposal > Claim.UNFENCED && Math.abs(proposal - nowMicros) > this.clockToleranceMicros) {
			return new Faulted(Fault.CLOCK,
					"The clock of the node differs too much from the clock of this client or of the other nodes", false,
					nowMicros);
		}
		Refused refusal = (claim.succeeds() != null) ? unlessSucceeds(claim, claim.succeeds(), nowMicros)
				: unlessFree(claim, nowMicros);
		if (refusal != null) {
			return refusal;
		}
		long fence = proposal;
		for (String key : claim.keys()) {
			Long counter = this.counters.get(key);
			fence = Math.max(fence, (counter != null) ? counter + 1 : nowMicros - LENIENCY_MICROS);
		}
		long granted = (proposal <= Claim.UNFENCED) ? proposal : fence;
		claim.keys().forEach(this.entries::remove);
		write(claim, granted, nowMicros);
		return new Granted(granted, nowMicros);
	}

	Vote extend(Claim claim, long fence, long nowMicros) {
		Refused refusal = unlessHeld(claim, nowMicros);
		if (refusal != null) {
			return refusal;
		}
		write(claim, fence, nowMicros);
		return new Granted(fence, nowMicros);
	}

	Vote restore(Claim claim, long fence, long nowMicros) {
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			if (entry != null && !entry.token.equals(claim.token())) {
				return held(entry, nowMicros);
			}
			if (fence > Claim.UNFENCED && this.counters.getOrDefault(key, 0L) > fence) {
				return Refused.because(Refusal.LOST);
			}
		}
		write(claim, fence, nowMicros);
		return new Granted(fence, nowMicros);
	}

	Vote release(Claim claim, Duration keep, long nowMicros) {
		boolean any = false;
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			if (entry != null && entry.token.equals(claim.token())) {
				any = true;
				long until = nowMicros + micros(keep);
				if (keep.isZero()) {
					this.entries.remove(key);
				}
				else if (until < entry.untilMicros) {
					this.entries.put(key, new Entry(entry.token, until));
				}
			}
		}
		return any ? Granted.PLAIN : Refused.because(Refusal.MISSING);
	}

	Vote tick(Claim claim, Tick tick, boolean mark, long nowMicros) {
		String key = claim.keys().get(0);
		long due = (tick.dueMicros() > 0) ? tick.dueMicros() : nowMicros + 1;
		long marked = (tick.dueMicros() > 0) ? due : nowMicros + micros(tick.interval());
		long keptMicros = RETENTION_MICROS + micros(tick.remembered());
		Mark last = this.marks.get(key);
		if (last != null && last.untilMicros > nowMicros
				&& last.dueMicros >= (last.token.equals(claim.token()) ? marked + 1 : due)) {
			return new Refused(Refusal.TAKEN, null, null, last.dueMicros);
		}
		if (nowMicros - due > keptMicros / 2 || tick.earliestMicros() - nowMicros > this.clockToleranceMicros) {
			return new Faulted(Fault.CLOCK, "The due time of the job is too far from the clock of the node", false,
					nowMicros);
		}
		if (unlessHeld(claim, nowMicros) != null) {
			return Refused.because(Refusal.LOST);
		}
		if (mark) {
			this.marks.put(key, new Mark(marked, claim.token(), nowMicros + keptMicros));
		}
		return new Granted(Claim.UNFENCED, nowMicros);
	}

	Vote inspect(String key, long nowMicros) {
		Entry entry = live(key, nowMicros);
		return (entry != null) ? held(entry, nowMicros) : Granted.PLAIN;
	}

	Map<String, String> tokens(long nowMicros) {
		Map<String, String> tokens = new TreeMap<>();
		this.entries.forEach((key, entry) -> tokens.put(key, entry.token));
		tokens.keySet().removeIf((key) -> live(key, nowMicros) == null);
		return tokens;
	}

	void clear() {
		this.entries.clear();
		this.marks.clear();
		this.counters.clear();
	}

	/**
	 * Writes keys and counters. Never makes a key expire earlier, and never lowers a
	 * counter.
	 */
	private void write(Claim claim, long fence, long nowMicros) {
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			long until = nowMicros + micros(claim.ttl());
			if (entry == null || entry.untilMicros < until) {
				this.entries.put(key, new Entry(claim.token(), until));
			}
			if (fence > Claim.UNFENCED) {
				this.counters.merge(key, fence, Math::max);
			}
		}
	}

	private @Nullable Refused unlessFree(Claim claim, long nowMicros) {
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			if (entry != null) {
				return held(entry, nowMicros);
			}
		}
		return null;
	}

	private @Nullable Refused unlessSucceeds(Claim claim, Predecessor predecessor, long nowMicros) {
		Claim former = new Claim(claim.keys(), predecessor.token(), claim.ttl());
		boolean missing = false;
		boolean outdated = false;
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			if (entry != null && !entry.token.equals(former.token())) {
				if (!predecessor.strict()) {
					release(former, Duration.ZERO, nowMicros);
				}
				return held(entry, nowMicros);
			}
			missing = missing || entry == null;
			outdated = outdated || this.counters.getOrDefault(key, 0L) > predecessor.fence();
		}
		if (!predecessor.strict()) {
			return null;
		}
		return missing ? Refused.because(Refusal.MISSING) : outdated ? Refused.because(Refusal.LOST) : null;
	}

	private @Nullable Refused unlessHeld(Claim claim, long nowMicros) {
		boolean missing = false;
		for (String key : claim.keys()) {
			Entry entry = live(key, nowMicros);
			if (entry != null && !entry.token.equals(claim.token())) {
				return Refused.because(Refusal.LOST);
			}
			missing = missing || entry == null;
		}
		return missing ? Refused.because(Refusal.MISSING) : null;
	}

	private @Nullable Entry live(String key, long nowMicros) {
		Entry entry = this.entries.get(key);
		return (entry != null && entry.untilMicros > nowMicros) ? entry : null;
	}

	private static Refused held(Entry entry, long nowMicros) {
		return Refused.heldBy(entry.token,
				Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(entry.untilMicros - nowMicros)));
	}

	private static long micros(Duration duration) {
		return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
	}

	private record Mark(long dueMicros, String token, long untilMicros) {

	}

	private record Entry(String token, long untilMicros) {

	}

}
