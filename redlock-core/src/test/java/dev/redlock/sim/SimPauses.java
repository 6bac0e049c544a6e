package dev.redlock.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;

import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimGuard.Gain;

/**
 * Whether clocks of servers have stepped, or their client was paused: the rule of the
 * production nodes, on a smaller scale of time.
 */
final class SimPauses {

	private static final long SAME_MICROS = SimGuard.LEAST_STEP.toNanos() / 1_000;

	static final int MOST_ROUNDS = 5;

	private final World world;

	private final SimProcess client;

	private final Weakness weakness;

	private final List<SimLink> links = new ArrayList<>();

	private final List<Runnable> waiting = new ArrayList<>();

	private boolean asking;

	/** Counts the rounds of all questions, so that a late answer ends none. */
	private int round;

	private int unanswered;

	private long askedNanos;

	private long missedNanos;

	SimPauses(World world, SimProcess client, Weakness weakness) {
		this.world = world;
		this.client = client;
		this.weakness = weakness;
	}

	void add(SimLink link) {
		this.links.add(link);
	}

	long missedNanos() {
		return this.missedNanos;
	}

	boolean isAsking() {
		return this.asking;
	}

	boolean isAfterStep(long sentNanos) {
		return sentNanos - this.askedNanos >= 0;
	}

	void whenDecided(Runnable work) {
		this.waiting.add(work);
	}

	void clockStepped(SimLink link) {
		this.askedNanos = this.client.clock.nanoTime();
		if (this.weakness == Weakness.STEP_BELIEVED) {
			Gain gain = link.gain();
			missed((gain != null) ? gain.most() : 0);
			link.judge((gain != null) ? gain.most() : 0);
		}
		else if (this.links.size() < 2) {
			link.judge(0);
		}
		else {
			this.asking = true;
			ask(MOST_ROUNDS);
		}
	}

	private void ask(int rounds) {
		int asked = ++this.round;
		List<SimLink> open = this.links.stream().filter((link) -> link.connection.isOpen()).toList();
		this.unanswered = open.size();
		open.forEach((link) -> link.askForTime(() -> {
			if (asked == this.round && --this.unanswered == 0) {
				decide(rounds - 1);
			}
		}));
		this.client.after(SimProcess.NODE_TIMEOUT.toNanos(), () -> {
			if (asked == this.round) {
				decide(rounds - 1);
			}
		});
	}

	private void decide(int rounds) {
		this.round++;
		List<Gain> gains = this.links.stream().map(SimLink::gain).filter(Objects::nonNull).toList();
		if (rounds > 0 && mayBecomeExact(gains)) {
			ask(rounds);
			return;
		}
		this.asking = false;
		long pause = gains.stream().mapToLong(Gain::least).min().orElse(0);
		long agreeing = gains.stream().filter((gain) -> gain.least() - pause <= SAME_MICROS).count();
		boolean corrected = gains.stream().filter(Gain::correction).count() > gains.size() / 2;
		boolean anyAmount = this.weakness == Weakness.AMOUNTS_NOT_COMPARED && gains.size() >= majority();
		boolean paused = pause > 0 && (anyAmount || agreeing >= majority()) && !corrected;
		countGains(gains, paused);
		for (SimLink link : this.links) {
			Gain gain = link.gain();
			link.judge(!paused ? 0 : (anyAmount && gain != null) ? gain.most() : pause);
		}
		List<Runnable> decided = List.copyOf(this.waiting);
		this.waiting.clear();
		decided.forEach(Runnable::run);
	}

	private boolean mayBecomeExact(List<Gain> gains) {
		if (gains.isEmpty()) {
			return true;
		}
		LongSummaryStatistics least = gains.stream().mapToLong(Gain::least).summaryStatistics();
		LongSummaryStatistics most = gains.stream().mapToLong(Gain::most).summaryStatistics();
		boolean exact = gains.size() >= majority() && most.getMax() - least.getMin() <= SAME_MICROS;
		return !exact && least.getMax() - most.getMin() <= SAME_MICROS;
	}

	/**
	 * The keys of a majority end earlier, also if their clocks have stepped.
	 */
	private void countGains(List<Gain> gains, boolean paused) {
		List<Gain> highest = gains.stream().sorted(Comparator.comparingLong(Gain::most).reversed()).toList();
		if (paused) {
			missed(highest.get(0).most());
		}
		else if (highest.size() >= majority() && highest.get(majority() - 1).least() > SAME_MICROS) {
			missed(highest.get(majority() - 1).most());
		}
	}

	private int majority() {
		return Math.max(2, this.links.size() / 2 + 1);
	}

	private void missed(long micros) {
		this.world.note(this.client.name, "learns that it missed", micros);
		this.missedNanos += (this.weakness == Weakness.PAUSE_NOT_COUNTED) ? 0 : micros * 1_000;
	}

}
