package dev.redlock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes with real locks over in-memory nodes, and time that stands still.
 * <p>
 * As a field with {@code @RegisterExtension} it checks after each test that nothing is
 * left behind, and a test that hangs says what waits.
 */
public final class LockWorld implements AfterEachCallback, PreInterruptCallback {

	/** Longer than the default ttl of 30 seconds. */
	public static final Duration TOO_LONG = Duration.ofSeconds(40);

	/** How long one way to a distant node takes at least. */
	static final Duration DISTANCE = Duration.ofNanos(150_000);

	/** More rounds than a try needs. */
	private static final int MOST_ROUNDS = 10;

	/** The steps of a second that everything gets to come to its end after a test. */
	private static final int MOST_STEPS_TO_THE_END = 200;

	public final ManualTime time = new ManualTime();

	public final List<InMemoryNode> nodes;

	/** The nodes as all processes see them. */
	final List<CountingNode> counted;

	/** The losses that the first process and those made by {@code another} were told. */
	final List<String> losses = new ArrayList<>();

	public final Redlock redlock;

	/** Another process. */
	public final Redlock other;

	private final Answers answers;

	private final SplittableRandom random;

	private final List<DelayedNode> connections = new ArrayList<>();

	private final List<Redlock> processes = new ArrayList<>();

	/** The stages that were handed out and have not completed. */
	private final Set<CompletableFuture<?>> stages = ConcurrentHashMap.newKeySet();

	/**
	 * Default settings, except that closing waits for no work and deletes its keys.
	 */
	public LockWorld() {
		this(RedlockSettings.builder().shutdownTimeout(Duration.ZERO).releaseRunning(true).build());
	}

	public LockWorld(RedlockSettings settings) {
		this(3, settings);
	}

	LockWorld(int nodeCount) {
		this(nodeCount, settings());
	}

	LockWorld(int nodeCount, RedlockSettings settings) {
		this(nodeCount, settings, Answers.AT_ONCE);
	}

	LockWorld(int nodeCount, Answers answers) {
		this(nodeCount, settings(), answers);
	}

	LockWorld(int nodeCount, RedlockSettings settings, Answers answers) {
		this(nodeCount, settings, answers, 1);
	}

	private LockWorld(int nodeCount, RedlockSettings settings, Answers answers, long seed) {
		this.answers = answers;
		this.random = new SplittableRandom(seed);
		this.nodes = IntStream.range(0, nodeCount)
			.mapToObj((i) -> new InMemoryNode(String.valueOf((char) ('a' + i)), this.time))
			.toList();
		this.counted = this.nodes.stream().map(CountingNode::new).toList();
		this.redlock = another(settings, 1);
		this.other = another(settings, 2);
	}

	/**
	 * Nodes that processes reach over a network with random delays.
	 */
	static LockWorld distant(long seed, int nodeCount) {
		return new LockWorld(nodeCount, settings(), Answers.AT_ONCE, seed);
	}

	/** Another process that tells what happens. */
	public Redlock listened(RedlockListener listener) {
		return another(RedlockSettings.DEFAULTS, 3, listener);
	}

	Redlock another(RedlockSettings settings, long seed) {
		return another(settings, seed, new RedlockListener() {
			@Override
			public void leaseLost(Lease lease, LossReason reason) {
				LockWorld.this.losses.add(lease.resources() + " " + reason);
			}
		});
	}

	Redlock another(RedlockSettings settings, long seed, RedlockListener listener) {
		return process(over(reached(), settings, seed).listener(listener));
	}

	/**
	 * One more process.
	 */
	Redlock process(Redlock.Builder builder) {
		Redlock process = builder.build();
		this.processes.add(process);
		return process;
	}

	/**
	 * The beginning of one more process, over any nodes.
	 */
	Redlock.Builder over(List<? extends LockNode> others, RedlockSettings settings, long seed) {
		return over(others, settings, new SplittableRandom(seed));
	}

	/**
	 * The beginning of one more process over its own connections to distant nodes.
	 */
	Redlock.Builder over(List<? extends LockNode> distant) {
		return over(distant, settings(), this.random.split());
	}

	/**
	 * The connections of one more process to distant nodes.
	 */
	List<DelayedNode> connect() {
		List<DelayedNode> connected = this.counted.stream()
			.map((node) -> new DelayedNode(node, this.time, DISTANCE, this.random.split()))
			.toList();
		this.connections.addAll(connected);
		return connected;
	}

	/**
	 * One more process over distant nodes.
	 */
	Redlock distantProcess() {
		return process(over(connect()));
	}

	/** The defaults, and release is awaited. */
	public static RedlockSettings awaitingRelease() {
		return RedlockSettings.builder().awaitRelease(true).build();
	}

	/** The defaults, and leases are renewed. */
	public static RedlockSettings renewing() {
		return RedlockSettings.builder().renew(true).build();
	}

	static RedlockSettings renewing(Duration maxHold) {
		return settings().toBuilder().renew(true).maxHold(maxHold).build();
	}

	/**
	 * A ttl of ten seconds, and at most a minute. Closing waits for no work and deletes
	 * its keys, because time stands still meanwhile.
	 */
	static RedlockSettings settings() {
		return RedlockSettings.builder()
			.owner("tests")
			.ttl(Duration.ofSeconds(10))
			.maxTtl(Duration.ofSeconds(60))
			.shutdownTimeout(Duration.ZERO)
			.releaseRunning(true)
			.build();
	}

	/** The time of the nodes. */
	public Clock clock() {
		InstantSource source = () -> Instant.EPOCH.plus(this.time.epochMicros(), ChronoUnit.MICROS);
		return source.withZone(ZoneOffset.UTC);
	}

	public LockRequest now(String... resources) {
		return LockRequest.of(resources).withWaitFor(Duration.ZERO);
	}

	/**
	 * Lets another process take a lock.
	 */
	public Lease hold(String resource) {
		return acquire(this.other, now(resource));
	}

	/**
	 * Lets a client of another library hold {@code stock} on some nodes.
	 */
	void held(String token, int... holding) {
		Claim claim = new Claim(List.of("redlock:stock"), token, Duration.ofSeconds(9));
		for (int node : holding) {
			this.nodes.get(node).acquire(claim, Claim.UNFENCED);
		}
	}

	/**
	 * Makes all but a minority of the nodes unreachable.
	 */
	public void loseQuorum() {
		this.nodes.subList(0, this.nodes.size() / 2 + 1).forEach(InMemoryNode::down);
	}

	CompletableFuture<LockAttempt> attempt(LockRequest request) {
		return attempt(this.redlock, request);
	}

	CompletableFuture<LockAttempt> attempt(Redlock process, LockRequest request) {
		return handedOut(process.attempt(request));
	}

	Lease acquire(String resource) {
		return acquire(LockRequest.of(resource));
	}

	Lease acquire(LockRequest request) {
		return acquire(this.redlock, request);
	}

	Lease acquire(Redlock process, LockRequest request) {
		return answered(attempt(process, request)).orThrow();
	}

	boolean extend(Lease lease, Duration ttl) {
		return answered(handedOut(lease.extendAsync(ttl)));
	}

	/**
	 * A stage that must have completed when the test ends.
	 */
	<T> CompletableFuture<T> handedOut(CompletionStage<T> stage) {
		CompletableFuture<T> future = stage.toCompletableFuture();
		this.stages.add(future);
		future.whenComplete((result, failure) -> this.stages.remove(future));
		return future;
	}

	/**
	 * Lets the nodes answer, and returns the result of the stage.
	 */
	<T> T answered(CompletionStage<T> stage) {
		for (int i = 0; i < MOST_ROUNDS && !stage.toCompletableFuture().isDone(); i++) {
			answers();
		}
		return completed(stage);
	}

	/**
	 * Lets what is under way to the nodes arrive, and their answers to that.
	 */
	void answers() {
		this.time.advance(this.answers.roundTrip());
	}

	Duration roundTrip() {
		return this.answers.roundTrip();
	}

	public boolean isHeld(String resource) {
		return heldOn(resource) > 0;
	}

	/** On how many nodes the resource is held, after what is under way has arrived. */
	long heldOn(String resource) {
		answers();
		return this.nodes.stream().filter((node) -> node.tokens().containsKey("redlock:" + resource)).count();
	}

	/** How often the first node was asked for a lock. */
	int acquires() {
		return this.counted.get(0).acquires.get();
	}

	@Override
	public void afterEach(ExtensionContext test) {
		if (test.getExecutionException().isEmpty()) {
			assertNothingIsLeft();
		}
	}

	@Override
	public void beforeThreadInterrupt(PreInterruptContext hanging, ExtensionContext test) {
		System.err.println("This waits while " + test.getDisplayName() + " hangs: " + left());
	}

	/**
	 * Returns the number of keys that a process remembers.
	 */
	public static int queues(Redlock process) {
		return Internals.queues(process.engine());
	}

	/**
	 * Lets everything come to its end on healthy nodes, and checks that nothing stays.
	 */
	void assertNothingIsLeft() {
		this.nodes.forEach(InMemoryNode::up);
		this.counted.forEach(CountingNode::behave);
		this.connections.forEach(DelayedNode::behave);
		for (int i = 0; i < MOST_STEPS_TO_THE_END && !left().isEmpty(); i++) {
			this.processes.forEach(LockWorld::releaseAll);
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(left()).as("what is left behind when everything has had its time").isEmpty();
	}

	private static void releaseAll(Redlock process) {
		process.leases().forEach((lease) -> process.revoke(lease.resources().iterator().next()));
	}

	private List<String> left() {
		List<String> left = new ArrayList<>();
		if (this.time.pending() > 0) {
			left.add(this.time.pending() + " timers");
		}
		for (Redlock process : this.processes) {
			int number = this.processes.indexOf(process) + 1;
			if (Internals.queues(process.engine()) > 0) {
				left.add(Internals.queues(process.engine()) + " queues of process " + number);
			}
			if (!process.waiters().isEmpty()) {
				left.add("requests of process " + number + " without an outcome: " + process.waiters());
			}
		}
		this.nodes.stream()
			.filter((node) -> !node.tokens().isEmpty())
			.forEach((node) -> left.add("on node " + node.name() + " " + node.tokens().keySet()));
		if (!this.stages.isEmpty()) {
			left.add(this.stages.size() + " stages that have not completed");
		}
		return left;
	}

	private List<? extends LockNode> reached() {
		if (this.answers == Answers.AT_ONCE) {
			return this.counted;
		}
		List<DelayedNode> reached = this.counted.stream()
			.map((node) -> new DelayedNode(node, this.time, this.answers.oneWay, new SplittableRandom(1)))
			.toList();
		reached.forEach((node) -> node.jitter = Duration.ZERO);
		this.connections.addAll(reached);
		return reached;
	}

	private Redlock.Builder over(List<? extends LockNode> others, RedlockSettings settings, SplittableRandom seeded) {
		return Redlock.over(others)
			.settings(settings)
			.ticker(this.time)
			.loop(this.time)
			.random(seeded)
			.callbacks(Runnable::run);
	}

	/**
	 * When the nodes answer.
	 */
	enum Answers {

		/** Within the call. */
		AT_ONCE(Duration.ZERO),

		/** After one millisecond each way, so that a test sees what is under way. */
		LATER(Duration.ofMillis(1));

		private final Duration oneWay;

		Answers(Duration oneWay) {
			this.oneWay = oneWay;
		}

		Duration roundTrip() {
			return this.oneWay.multipliedBy(2);
		}

	}

}
