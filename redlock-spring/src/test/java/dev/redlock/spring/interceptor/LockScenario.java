package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld;
import dev.redlock.LossReason;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What can happen to a call under a lock, told once for all kinds of calls.
 */
enum LockScenario {

	WON((run) -> {
		run.call("a");
		run.runs();
		run.holds("a");
		run.finish();
		run.returns();
		run.free("a");
	}),

	HELD((run) -> {
		run.othersHold("a");
		run.call("a");
		run.refuses(Reason.HELD);
	}),

	WON_AFTER_WAITING((run) -> {
		run.othersHold("a");
		run.callAndWait("a");
		run.othersRelease();
		run.pass(Duration.ofMillis(200));
		run.runs();
		run.finish();
		run.returns();
		run.free("a");
	}),

	NO_QUORUM((run) -> {
		run.quorumIsDown();
		run.call("a");
		run.refuses(Reason.NO_QUORUM);
	}),

	LOST_MIDWAY((run) -> {
		run.call("a");
		run.runs();
		run.pass(LockWorld.TOO_LONG);
		run.finish();
		run.losesIt(LossReason.EXPIRED);
	}),

	EXCEPTION((run) -> {
		OfTheWork failure = new OfTheWork(1);
		run.call("a");
		run.runs();
		run.fail(failure);
		assertThat(run.throwsSomething()).isSameAs(failure);
		run.free("a");
	}),

	EXCEPTION_AND_LOST((run) -> {
		OfTheWork failure = new OfTheWork(2);
		run.call("a");
		run.runs();
		run.pass(LockWorld.TOO_LONG);
		run.fail(failure);
		assertThat(run.throwsSomething()).isSameAs(failure);
		assertThat(failure.getSuppressed()).hasSize(1);
	}),

	CANCELLED((run) -> {
		run.call("a");
		run.runs();
		run.cancel();
		assertThat(run.throwsSomething()).isInstanceOfAny(CancellationException.class, InterruptedException.class,
				LockNotAcquiredException.class);
		run.free("a");
	}),

	CANCELLED_WAITING((run) -> {
		run.othersHold("a");
		run.callAndWait("a");
		run.cancel();
		assertThat(run.throwsSomething()).isInstanceOfAny(CancellationException.class, InterruptedException.class,
				LockNotAcquiredException.class);
		run.othersRelease();
		run.pass(LockWorld.TOO_LONG);
		run.neverRuns();
	}),

	NESTED_EXCEPTION((run) -> {
		OfTheWork failure = new OfTheWork(3);
		run.callNested("a", "a");
		run.runs();
		run.fail(failure);
		assertThat(run.throwsSomething()).isSameAs(failure).hasNoSuppressedExceptions();
		run.free("a");
	}),

	NESTED_PARTLY((run) -> {
		run.callNested("a", "a b");
		run.runs();
		run.holds("a", "b");
		run.worksUnder("a", "b");
		run.hasTheFencesOf("a", "b");
		run.finish();
		run.returns();
		run.free("a", "b");
	}),

	NESTED_AND_OUTER_LOST((run) -> {
		run.callNested("a", "a b");
		run.runs();
		run.isRevoked("a");
		run.finish();
		run.losesIt(LossReason.REVOKED);
	}),

	NESTED_IN_TWO((run) -> {
		run.callNested("a", "b", "a b");
		run.runs();
		run.worksUnder("a", "b");
		run.hasTheFencesOf("a", "b");
		run.finish();
		run.returns();
		run.free("a", "b");
	}),

	NESTED_IN_ANOTHER((run) -> {
		run.callNested("a", "b", "a");
		run.runs();
		run.worksUnder("a");
		run.hasTheOneFenceOf("a");
		run.finish();
		run.returns();
		run.free("a", "b");
	}),

	NESTED_IN_MORE((run) -> {
		run.callNested("a b", "b");
		run.runs();
		run.worksUnder("b");
		run.hasTheOneFenceOf("b");
		run.finish();
		run.returns();
		run.free("a", "b");
	}),

	RENEWED((run) -> {
		run.call("a");
		run.runs();
		for (int i = 0; i < 10; i++) {
			run.pass(Duration.ofSeconds(10));
		}
		run.holds("a");
		run.finish();
		run.returns();
		run.free("a");
	}),

	SHUT_DOWN((run) -> {
		run.call("a");
		run.runs();
		run.shutDown();
		run.free("a");
		run.finish();
		run.losesIt(LossReason.SHUT_DOWN);
	}),

	SHUT_DOWN_WAITING((run) -> {
		run.othersHold("a");
		run.callAndWait("a");
		run.shutDown();
		run.refuses(Reason.SHUTTING_DOWN);
	});

	private final Consumer<ScenarioRun> story;

	LockScenario(Consumer<ScenarioRun> story) {
		this.story = story;
	}

	void play(ScenarioRun run) {
		this.story.accept(run);
		run.leavesNothingBehind();
	}

	Duration waitFor() {
		return name().contains("WAITING") ? Duration.ofSeconds(5) : Duration.ZERO;
	}

	LockWorld world() {
		return (this == RENEWED) ? new LockWorld(LockWorld.renewing()) : new LockWorld();
	}

	/**
	 * Cannot be copied, as coroutines else would in tests.
	 */
	static final class OfTheWork extends Exception {

		private static final long serialVersionUID = 1L;

		OfTheWork(int number) {
			super("of the work " + number);
		}

	}

}
