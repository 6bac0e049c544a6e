package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import dev.redlock.LossReason;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The words in which scenarios are written, for one kind of call.
 */
final class ScenarioRun implements Supplier<CompletionStage<String>> {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final LockWorld world;

	private final MethodKind kind;

	private final MethodKind.Beans beans;

	private final CompletableFuture<String> work = new CompletableFuture<>();

	private final CountDownLatch entered = new CountDownLatch(1);

	private ScenarioCall call;

	private volatile Lease seen;

	private volatile Map<String, Long> fences;

	ScenarioRun(LockWorld world, MethodKind kind, MethodKind.Beans beans) {
		this.world = world;
		this.kind = kind;
		this.beans = beans;
	}

	/** The work itself. */
	@Override
	public CompletionStage<String> get() {
		this.seen = CurrentLease.require();
		this.fences = this.seen.resources()
			.stream()
			.collect(Collectors.toMap(Function.identity(),
					(name) -> CurrentLease.forResource(name).orElseThrow().fence()));
		this.entered.countDown();
		return this.work;
	}

	void call(String... names) {
		this.call = this.kind.start(this.beans, ask(Duration.ZERO, names), this);
	}

	/**
	 * @param calls the names of each call, such as {@code "a b"}, from the outside in
	 */
	void callNested(String... calls) {
		List<List<String>> names = Arrays.stream(calls).map((call) -> List.of(call.split(" "))).toList();
		this.call = this.kind.start(this.beans, new MethodKind.Ask(names, Duration.ZERO), this);
	}

	void callAndWait(String... names) {
		int before = this.world.time.pending();
		this.call = this.kind.start(this.beans, ask(Duration.ofSeconds(5), names), this);
		// The pause before the next try and the deadline.
		Awaitility.await().atMost(PATIENCE).until(() -> this.world.time.pending() == before + 2);
	}

	void othersHold(String name) {
		this.world.other.attemptAndWait(this.world.now(name)).orThrow();
	}

	void othersRelease() {
		this.world.other.close();
	}

	void quorumIsDown() {
		this.world.nodes.get(0).down();
		this.world.nodes.get(1).down();
	}

	void pass(Duration time) {
		this.world.time.advance(time);
	}

	void shutDown() {
		this.world.redlock.close();
	}

	void cancel() {
		this.call.cancel().run();
	}

	void finish() {
		this.work.complete("done");
	}

	void fail(Exception failure) {
		this.work.completeExceptionally(failure);
	}

	void runs() {
		try {
			assertThat(this.entered.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).as("the work runs").isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	void neverRuns() {
		assertThat(this.entered.getCount()).as("the work never runs").isOne();
	}

	void holds(String... names) {
		assertThat(names).allMatch(this.world::isHeld);
	}

	void worksUnder(String... names) {
		assertThat(this.seen.resources()).containsExactly(names);
		assertThat(this.seen.isValid()).isTrue();
	}

	/**
	 * Asserts that the work gets the fence of each name that it asked for.
	 */
	void hasTheFencesOf(String... names) {
		assertThat(this.fences).containsExactlyInAnyOrderEntriesOf(
				Arrays.stream(names).collect(Collectors.toMap(Function.identity(), this::fence)));
	}

	void hasTheOneFenceOf(String name) {
		assertThat(this.seen.fence()).isEqualTo(fence(name));
	}

	void isRevoked(String name) {
		this.world.redlock.revoke(name);
		assertThat(this.seen.isValid()).isFalse();
		assertThat(this.seen.remaining()).isZero();
		assertThat(this.seen.lost()).isCompletedWithValue(LossReason.REVOKED);
		assertThat(this.seen.extend(LockWorld.TOO_LONG)).isFalse();
	}

	void free(String... names) {
		assertThat(names).noneMatch(this.world::isHeld);
	}

	void returns() {
		assertThat(this.call.outcome()).succeedsWithin(PATIENCE).isEqualTo("done");
	}

	Throwable throwsSomething() {
		return this.call.outcome()
			.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
			.handle((value, failure) -> failure)
			.join();
	}

	void refuses(LockNotAcquiredException.Reason reason) {
		assertThat(throwsSomething()).isInstanceOfSatisfying(LockNotAcquiredException.class,
				(refusal) -> assertThat(refusal.reason()).isEqualTo(reason));
		neverRuns();
	}

	void losesIt(LossReason reason) {
		assertThat(throwsSomething()).isInstanceOfSatisfying(LockLostException.class,
				(loss) -> assertThat(loss.reason()).isEqualTo(reason));
	}

	void leavesNothingBehind() {
		this.world.redlock.close();
		this.world.other.close();
		// By then, a shutdown no longer waits for nodes that are down.
		pass(Duration.ofSeconds(10));
		assertThat(this.world.nodes).allMatch((node) -> node.tokens().isEmpty());
		assertThat(this.world.time.pending()).as("timers").isZero();
		assertThat(CurrentLease.get()).isEmpty();
	}

	private long fence(String name) {
		return this.world.redlock.leases()
			.stream()
			.filter((lease) -> lease.resources().contains(name))
			.findFirst()
			.orElseThrow()
			.fence();
	}

	private static MethodKind.Ask ask(Duration waitFor, String... names) {
		return new MethodKind.Ask(List.of(List.of(names)), waitFor);
	}

}
