package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

import dev.redlock.LockWorld;
import dev.redlock.RedlockListener;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Scheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Three candidates in random histories of failing nodes, candidates that yield, stop,
 * start and stand still, and leases that are revoked. The number of the test is the seed.
 */
class NeverTwoLeadersTests {

	private static final int STEPS = 300;

	private static final int LONGEST_STEP_MILLIS = 4_000;

	static List<Long> seeds() {
		return new SplittableRandom(1).longs(40, 1, 1_000_000).boxed().toList();
	}

	/**
	 * The control: whoever does not step down when its lease ends is found.
	 */
	@Test
	void aLeaderThatGoesOnUntilItGivesTheRoleBackIsOneOfTwo() {
		assertThat(seeds()).anySatisfy((seed) -> assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> story(seed, NeverTwoLeadersTests::hasNotGivenUp))
			.withMessageContaining("the leaders in step"));
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void thereAreNeverTwoLeadersAndTermsRise(long seed) {
		story(seed, Candidate::isLeader);
	}

	private static void story(long seed, Predicate<Candidate> leads) {
		LockWorld world = new LockWorld();
		SplittableRandom random = new SplittableRandom(seed);
		List<Frozen> timers = List.of(new Frozen(world), new Frozen(world), new Frozen(world));
		List<Candidate> candidates = List.of(new Candidate(world.redlock, timers.get(0)),
				new Candidate(world.other, timers.get(1)), new Candidate(world.listened(new RedlockListener() {
				}), timers.get(2)));
		candidates.forEach((each) -> each.leaders.start());
		long highest = 0;
		for (int step = 0; step < STEPS; step++) {
			disturb(world, candidates.get(random.nextInt(3)), timers.get(random.nextInt(3)), random);
			world.time.advance(Duration.ofMillis(random.nextInt(LONGEST_STEP_MILLIS)));
			List<Candidate> leaders = candidates.stream().filter(leads).toList();
			assertThat(leaders).as("the leaders in step %s", step).hasSizeLessThan(2);
			for (Candidate leader : candidates.stream().filter(Candidate::isLeader).toList()) {
				assertThat(leader.term()).as("the term in step %s", step).isGreaterThanOrEqualTo(highest);
				highest = leader.term();
			}
		}
		assertThat(granted(candidates)).as("terms").doesNotHaveDuplicates().hasSizeGreaterThan(3);
		assertThatARoleIsLedWhenAllIsWell(world, candidates, timers);
	}

	private static boolean hasNotGivenUp(Candidate candidate) {
		Object last = candidate.events.isEmpty() ? null : candidate.events.get(candidate.events.size() - 1);
		return last instanceof LeaderGrantedEvent
				|| last instanceof LeaderRevokedEvent revoked && (revoked.reason() == LeaderRevokedEvent.Reason.LOST
						|| revoked.reason() == LeaderRevokedEvent.Reason.NOT_RENEWED);
	}

	private static void disturb(LockWorld world, Candidate candidate, Frozen timers, SplittableRandom random) {
		InMemoryNode node = world.nodes.get(random.nextInt(world.nodes.size()));
		switch (random.nextInt(12)) {
			case 0 -> node.down();
			case 1 -> node.freeze();
			case 2, 3, 4 -> world.nodes.forEach(InMemoryNode::up);
			case 5 -> candidate.role.yield();
			case 6 -> candidate.leaders.stop();
			case 7 -> candidate.leaders.start();
			case 8 -> timers.frozen = !timers.frozen;
			case 9 -> world.time.stepWallClock(Duration.ofSeconds(random.nextInt(60)));
			case 10 -> candidate.leaders.redlock().revoke("importer");
			default -> {
				// Time passes.
			}
		}
	}

	private static List<Long> granted(List<Candidate> candidates) {
		return candidates.stream()
			.flatMap((each) -> each.events.stream())
			.filter(LeaderGrantedEvent.class::isInstance)
			.map((event) -> ((LeaderGrantedEvent) event).term())
			.toList();
	}

	private static void assertThatARoleIsLedWhenAllIsWell(LockWorld world, List<Candidate> candidates,
			List<Frozen> timers) {
		world.nodes.forEach(InMemoryNode::up);
		timers.forEach((each) -> each.frozen = false);
		candidates.forEach((each) -> each.leaders.start());
		world.time.advance(Duration.ofMinutes(3));
		assertThat(candidates.stream().filter(Candidate::isLeader)).as("leaders in the end").hasSize(1);
	}

	/**
	 * The timers of a candidate that may stand still, so that its role does not see the
	 * time pass.
	 */
	private static final class Frozen implements Scheduler {

		private final LockWorld world;

		private boolean frozen;

		private Frozen(LockWorld world) {
			this.world = world;
		}

		@Override
		public Timeout schedule(Duration delay, Runnable task) {
			return this.world.time.schedule(delay, () -> run(task));
		}

		private void run(Runnable task) {
			if (this.frozen) {
				schedule(Duration.ofSeconds(1), task);
			}
			else {
				task.run();
			}
		}

	}

}
