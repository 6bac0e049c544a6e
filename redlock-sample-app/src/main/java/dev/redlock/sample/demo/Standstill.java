package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Inspection;
import dev.redlock.Inspection.Verdict;
import dev.redlock.NodeVote;
import dev.redlock.Redlock;
import dev.redlock.spi.Vote.Faulted;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Finds out why nothing is sold. It asks the nodes about the lock.
 */
@Component
@FirstJvm
final class Standstill {

	private static final long SUSPICIOUS_MICROS = 1_000_000;

	private final Redlock redlock;

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile @Nullable Inspection answer;

	Standstill(Redlock redlock) {
		this.redlock = redlock;
	}

	/**
	 * Explains why nothing is sold, or returns null if units are sold.
	 * @param quietMicros the time since the last sale
	 */
	@Nullable Situation explain(long quietMicros) {
		if (quietMicros < SUSPICIOUS_MICROS) {
			this.answer = null;
			return null;
		}
		ask();
		Inspection inspection = this.answer;
		Situation reason = (inspection != null) ? explain(inspection) : null;
		return (reason != null) ? reason : Situation.quiet();
	}

	static @Nullable Situation explain(Inspection inspection) {
		int size = inspection.nodes().size();
		int majority = size / 2 + 1;
		if (size - inspection.faulted() < majority) {
			return Situation.noAnswer(names(inspection), size, majority);
		}
		if (inspection.verdict() == Verdict.HELD) {
			return Situation.held(inspection.holder().orElse("A buyer"), inspection.remaining().orElse(Duration.ZERO));
		}
		return null;
	}

	private void ask() {
		if (this.asking.compareAndSet(false, true)) {
			this.redlock.inspect("stock:" + Buyers.ARTICLE).whenComplete((inspection, failure) -> {
				this.answer = inspection;
				this.asking.set(false);
			});
		}
	}

	private static List<String> names(Inspection inspection) {
		return inspection.nodes()
			.stream()
			.filter((node) -> node.vote() == null || node.vote() instanceof Faulted)
			.map(NodeVote::node)
			.toList();
	}

}
