package dev.redlock.sim;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RedlockSettings;
import dev.redlock.ReleaseResult;
import dev.redlock.RequestListener;
import dev.redlock.internal.client.Internals;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.sim.Checker.Holding;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Ticker;

/**
 * A client of the production lock: asks for names, holds them, extends them, lets go.
 */
final class SimClient {

	static final List<String> RESOURCES = List.of("x", "y");

	/** Less than the time for which a process stays subscribed. */
	private static final long TOGETHER_NANOS = 450_000_000;

	/** A request may end that much earlier than its time to wait. */
	private static final int CROWD = 12;

	private static final long END_TOGETHER_MILLIS = 300;

	private static final double TICKET_USED = 0.5;

	/** As many as outlast what a ticket may. */
	private static final int WRONG_EXTENSIONS = 200;

	private static final long LAST_TRY_NANOS = 60_000_000;

	/**
	 * More than a try may take after the end of its wait, with all rounds that settle its
	 * fence and its tick, or one that is repeated because it learned the clocks.
	 */
	private static final long LONGEST_TRY_NANOS = 600_000_000;

	final SimProcess process;

	final List<SimLink> links;

	final Redlock redlock;

	private final World world;

	private final Checker checker;

	private final Plan plan;

	private final Duration maxTtl;

	private final int lockDelayMillis;

	private final Set<Lease> told = new HashSet<>();

	/** The requests without an answer, and when each should have one. */
	private final Map<LockRequest, Long> waiting = new IdentityHashMap<>();

	private boolean stopped;

	SimClient(World world, Checker checker, Plan plan, SimProcess process, List<SimLink> links, Duration maxTtl) {
		this.world = world;
		this.checker = checker;
		this.plan = plan;
		this.process = process;
		this.links = links;
		this.maxTtl = maxTtl;
		this.lockDelayMillis = world.chance(0.3) ? world.random.nextInt(10, 80) : 0;
		this.redlock = Redlock.over(links)
			.settings(closing(settings(maxTtl, process.name,
					(plan.weakness() != Weakness.NO_DELAY) ? this.lockDelayMillis : 0, clockStep(plan, maxTtl))))
			.ticker(ticker(plan.weakness(), process.clock))
			.loop(process)
			.random(random(world.random.split()))
			.callbacks(Runnable::run)
			.listener(new RedlockListener() {
				@Override
				public void leaseLost(Lease lease, LossReason reason) {
					SimClient.this.world.note(process.name, "was told of a loss: " + reason, 0);
					SimClient.this.told.add(lease);
					process.lost(Internals.keys(lease), Internals.token(lease));
				}

				@Override
				public RequestListener requested(LockRequest request) {
					return new RequestListener() {
						@Override
						public void renewed(Lease lease, RenewalOutcome outcome) {
							if (outcome == RenewalOutcome.LOST && !SimClient.this.told.contains(lease)) {
								world.violated(Checker.LOSS_TOLD,
										process.name + " counts a lease as lost that it was not");
							}
						}
					};
				}
			})
			.build();
	}

	/**
	 * Asks again and again, with two requests at once where that matters.
	 */
	void start() {
		startOne();
		if (this.plan.has(Plan.Fault.WAITING) && !asksForOneName()) {
			startOne();
		}
		if (this.plan.has(Plan.Fault.CROWD)) {
			IntStream.range(0, CROWD).forEach((i) -> startOne());
		}
	}

	/**
	 * Whether a request here waits for a lock, and the nodes may vote.
	 */
	boolean waitsFor(String resource) {
		return this.process.isAwake() && !this.stopped && this.waiting.entrySet()
			.stream()
			.filter((request) -> request.getValue() > this.process.clock.nanoTime())
			.map(Map.Entry::getKey)
			.filter((request) -> request.resources().contains(resource))
			.anyMatch((request) -> asked(request).filter(SimLink::mayVote).count() > asked(request).count() / 2);
	}

	/**
	 * Whether a request here waits for a lock that it could have now, alone or together
	 * with others.
	 */
	boolean couldHave(String resource) {
		return this.process.isAwake() && !this.stopped
				&& this.waiting.entrySet()
					.stream()
					.filter((request) -> request.getValue() > this.process.clock.nanoTime())
					.map(Map.Entry::getKey)
					.filter((request) -> request.resources().contains(resource))
					.anyMatch(this::wouldGet);
	}

	private boolean wouldGet(LockRequest request) {
		List<String> names = request.resources();
		return (request.permits() > 0) ? slots(names.get(0)).map(List::of).anyMatch((slot) -> isFree(request, slot))
				: isFree(request, names);
	}

	private boolean isFree(LockRequest request, List<String> names) {
		return asked(request).filter((link) -> link.wouldGrant(names)).count() > asked(request).count() / 2;
	}

	private Stream<SimLink> asked(LockRequest request) {
		return this.links.stream()
			.filter((link) -> request.instances().isEmpty() || request.instances().contains(link.name()));
	}

	private Stream<String> slots(String name) {
		return IntStream.rangeClosed(1, this.plan.permits()).mapToObj((slot) -> name + "#" + slot);
	}

	void stop() {
		this.stopped = true;
	}

	/**
	 * Closes the lock as its application may, and opens it again.
	 */
	void closeForAWhile() {
		this.process.run(() -> {
			this.world.note(this.process.name, "closes its lock", 0);
			this.checker.closes(this.process);
			this.redlock.closeAsync()
				.thenRun(() -> this.world.after(this.world.micros(0, 200_000), () -> this.process.run(() -> {
					this.world.note(this.process.name, "opens its lock", 0);
					this.redlock.open();
				})));
		});
	}

	/**
	 * Asks for one resource and says whether it was had.
	 */
	CompletableFuture<LockAttempt> askOnce(String resource, Duration waitFor) {
		return this.redlock.attempt(permitted(LockRequest.of(resource).withWaitFor(waitFor))).toCompletableFuture();
	}

	/**
	 * Work goes on whatever the shutdown says, often beyond its timeout.
	 */
	private RedlockSettings closing(RedlockSettings settings) {
		return this.plan.has(Plan.Fault.RESTART_OF_LOCK) ? settings.toBuilder()
			.shutdownTimeout(Duration.ofMillis(this.world.chance(0.3) ? 0 : this.world.random.nextInt(1, 300)))
			.releaseRunning(this.plan.weakness() == Weakness.DELETED_UNDER_WORK)
			.build() : settings;
	}

	private void ask() {
		if (this.stopped) {
			return;
		}
		LockRequest request = permitted(request());
		Map<String, Long> floors = new HashMap<>();
		request.resources()
			.stream()
			.flatMap((name) -> Stream.concat(Stream.of(name), slots(name)))
			.forEach((name) -> floors.put(name, this.checker.floor(name)));
		this.world.note(this.process.name, "asks for " + request.resources(), 0);
		if (request.waitFor() != null) {
			this.waiting.put(request, this.process.clock.nanoTime() + request.waitFor().toNanos() - LAST_TRY_NANOS);
		}
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(request).toCompletableFuture();
		attempt.whenComplete((result, failure) -> this.waiting.remove(request));
		long wait = Objects.requireNonNull(request.waitFor()).toNanos();
		requireCompleted(Checker.ENDS_IN_TIME, attempt, wait + LONGEST_TRY_NANOS);
		int pauses = this.process.pauses();
		attempt.thenAccept((result) -> {
			requireTryAfterWaking(result, this.process.pauses() - pauses);
			onResult(request, result, floors);
		});
		boolean fickle = this.plan.has(Plan.Fault.FICKLE);
		if (this.world.chance(fickle ? 0.5 : 0.05)) {
			long longest = (fickle && this.world.random.nextBoolean()) ? 1_000_000 : 30_000;
			this.world.after(this.world.micros(100, longest), () -> this.process.run(() -> {
				if (attempt.cancel(false)) {
					this.world.note(this.process.name, "gives up", 0);
					startOne();
				}
			}));
		}
	}

	/**
	 * A request fails because of a pause only if another pause spoilt its try after the
	 * first one.
	 * @param pauses how often the process has stood still since the request
	 */
	private void requireTryAfterWaking(LockAttempt result, int pauses) {
		boolean spoilt = pauses > 1 || (pauses == 1 && result.tries() > 1);
		if (this.plan.has(Plan.Fault.WAKE) && !spoilt
				&& result.reason().filter(Reason.VALIDITY_EXHAUSTED::equals).isPresent()) {
			this.world.violated(Checker.TRY_AFTER_WAKING, this.process.name + " got no try after it woke up");
		}
	}

	private void startOne() {
		boolean together = this.plan.has(Plan.Fault.TOGETHER);
		long rest = together ? TOGETHER_NANOS - this.world.nowNanos() % TOGETHER_NANOS : 0;
		this.world.after(rest + this.world.micros(0, inAHurry() ? 500 : together ? 2_000 : 20_000),
				() -> this.process.run(this::ask));
	}

	private boolean asksForOneName() {
		return this.plan.has(Plan.Fault.TOGETHER) && !this.plan.has(Plan.Fault.SEVERAL_NAMES);
	}

	private boolean inAHurry() {
		return this.plan.has(Plan.Fault.HURRY);
	}

	private LockRequest permitted(LockRequest request) {
		boolean slots = this.plan.has(Plan.Fault.PERMITS) && this.plan.weakness() != Weakness.COUNTED_PERMITS;
		return slots ? request.withPermits(this.plan.permits()) : request;
	}

	private boolean asksForBoth(double chance) {
		return !this.plan.has(Plan.Fault.PERMITS) && this.world.chance(chance);
	}

	private LockRequest request() {
		String ticket = this.world.chance(TICKET_USED) ? this.checker.ticket() : null;
		return (ticket != null) ? LockRequest.succeeding(ticket).withTtl(ttl()).withRenew(this.world.chance(0.2))
				: this.plan.has(Plan.Fault.JOBS) ? jobRequest()
						: this.plan.has(Plan.Fault.WAITING) ? waitingRequest() : lockRequest();
	}

	private LockRequest waitingRequest() {
		boolean both = !asksForOneName() && asksForBoth(this.plan.has(Plan.Fault.SEVERAL_NAMES) ? 0.25 : 0.1);
		String name = (asksForOneName() || this.world.random.nextBoolean()) ? "x" : "y";
		boolean once = this.world.chance(0.2);
		LockRequest request = LockRequest.of(both ? RESOURCES.toArray(String[]::new) : new String[] { name })
			.withTtl(this.maxTtl.minusMillis(this.lockDelayMillis))
			.withWaitFor(Duration.ofMillis(once ? 0 : waitMillis()))
			.withRetryDelay(Duration.ofMillis(30))
			.withRenew(this.world.chance(0.2));
		if (this.plan.has(Plan.Fault.SOME_NODES) && this.world.random.nextBoolean()) {
			int first = this.world.random.nextInt(this.links.size());
			request = request.withInstances(IntStream.range(0, this.links.size())
				.filter((i) -> i != first && i != (first + 1) % this.links.size())
				.mapToObj((i) -> this.links.get(i).name())
				.toArray(String[]::new));
		}
		return request;
	}

	/**
	 * In a crowd, many requests end at the same moment.
	 */
	private long waitMillis() {
		boolean together = this.plan.has(Plan.Fault.CROWD) && this.world.random.nextBoolean();
		return together ? END_TOGETHER_MILLIS - this.process.clock.nanoTime() / 1_000_000 % END_TOGETHER_MILLIS
				: this.plan.scale() * this.world.random.nextInt(200, 2_000);
	}

	private LockRequest jobRequest() {
		boolean rerun = this.world.chance(0.3);
		return LockRequest.of(rerun ? "y" : "x")
			.withTtl(ttl())
			.withWaitFor(Duration.ofMillis(this.world.random.nextInt(0, 300)))
			.withTick(this.checker.tick(this.process.clock.epochMicros(), rerun));
	}

	private Duration ttl() {
		return Duration.ofMillis(this.plan.scale() * this.world.random.nextInt(60, 401 - this.lockDelayMillis));
	}

	private LockRequest lockRequest() {
		LockRequest request = LockRequest.of(RESOURCES.get(this.world.random.nextInt(2)));
		if (asksForBoth(this.plan.has(Plan.Fault.SEVERAL_NAMES) ? 0.5 : 0.1)) {
			request = LockRequest.of(RESOURCES.toArray(String[]::new));
		}
		request = request.withTtl(ttl())
			.withWaitFor(Duration.ofMillis(this.world.chance(0.3) ? 0 : this.world.random.nextInt(20, 300)))
			.withRetryDelay(Duration.ofMillis((inAHurry() || this.plan.has(Plan.Fault.IMPATIENCE)) ? 2 : 30))
			.withRenew(this.world.chance(0.2));
		if (this.plan.weakness() == Weakness.HALF_QUORUM) {
			int without = this.world.random.nextInt(this.links.size());
			request = request.withInstances(this.links.stream()
				.map(SimLink::name)
				.filter((name) -> !name.equals(this.links.get(without).name()))
				.toArray(String[]::new));
		}
		return request;
	}

	private void onResult(LockRequest request, LockAttempt result, Map<String, Long> floors) {
		if (result.lease().isEmpty()) {
			this.world.note(this.process.name, "got nothing: " + result.reason().orElseThrow(), result.tries());
			startOne();
			return;
		}
		Lease lease = result.lease().get();
		this.world.note(this.process.name, "holds " + lease.resources() + " with fence",
				lease.isPermit() ? 0 : lease.fence());
		Holding holding = new Holding(lease, this.process, wrongEnd(request, lease),
				Duration.ofMillis(this.lockDelayMillis).toNanos());
		this.checker.won(holding, floors);
		if (request.ticket() != null) {
			this.checker.succeeded(request.ticket(), holding);
		}
		if (request.tick() != null) {
			this.checker.began(request.tick());
		}
		watch(holding, this.process.suspensions());
		double longest = inAHurry() ? 0.02
				: (this.plan.has(Plan.Fault.LONG_CLAIMS) || this.plan.has(Plan.Fault.FAR_CLAIMS)) ? 0.02
						: this.plan.has(Plan.Fault.WAITING) ? 0.2 : 1.4;
		long hold = (long) (request.ttl().toNanos() * this.world.random.nextDouble() * longest);
		if (this.world.chance(0.3)) {
			this.world.after(hold / 2, () -> this.process.run(() -> requireCompleted(Checker.STAGES_COMPLETE,
					lease.extendAsync(request.ttl()), LONGEST_TRY_NANOS)));
		}
		// Work takes time while the machine is awake.
		this.process.after(hold, () -> letGo(holding));
	}

	/**
	 * Until when a weakened client believes in its lease, on its own clock; 0 if it
	 * believes what the lease says.
	 */
	private long wrongEnd(LockRequest request, Lease lease) {
		long now = this.process.clock.nanoTime();
		long ttl = request.ttl().toNanos();
		long drift = ttl / 100 + 2_000_000;
		return switch (this.plan.weakness()) {
			case LATE_START -> now + ttl - drift;
			case NO_DRIFT -> now + lease.remaining().toNanos() + drift;
			default -> 0;
		};
	}

	private void letGo(Holding holding) {
		if (!holding.isReleased() && this.plan.has(Plan.Fault.TICKETS) && !this.stopped && holding.lease.isValid()
				&& this.world.random.nextBoolean()) {
			detach(holding);
		}
		if (!holding.isReleased()) {
			this.world.note(this.process.name, "releases " + holding.lease.resources(), 0);
			CompletionStage<ReleaseResult> release = holding.release();
			requireCompleted(Checker.STAGES_COMPLETE, release, LONGEST_TRY_NANOS);
			release.thenAccept((result) -> {
				if (this.plan.answersInTime()) {
					this.process.after(SimProcess.NODE_TIMEOUT.toNanos(),
							() -> this.checker.requireGone(Internals.token(holding.lease), servers()));
				}
				if (result.released() == this.links.size()) {
					this.checker.released(Internals.token(holding.lease), servers());
				}
			});
		}
		startOne();
	}

	private void detach(Holding holding) {
		this.world.note(this.process.name, "detaches " + holding.lease.resources(), 0);
		boolean believed = this.plan.weakness() == Weakness.DETACHED_BELIEVED;
		String ticket = holding.detach(believed);
		this.checker.detached(ticket, holding, servers());
		if (this.plan.weakness() == Weakness.DETACHED_EXTENDED) {
			extend(Ticket.parse(ticket), 0);
		}
	}

	private List<SimServer> servers() {
		return this.links.stream().map((link) -> link.server).toList();
	}

	private void extend(Ticket ticket, int round) {
		Claim claim = new Claim(ticket.resources(), ticket.token(), ticket.longestTtl());
		this.links.forEach((link) -> link.extend(claim, ticket.fence()));
		if (round < WRONG_EXTENSIONS) {
			later(ticket.longestTtl().toNanos() / 3, () -> extend(ticket, round + 1));
		}
	}

	/**
	 * Looks again when the lease should have ended: its holder must have been told, or
	 * must be told within a second of waking.
	 * @param suspensions how often the machine had been suspended when the lease was had
	 */
	private void watch(Holding holding, int suspensions) {
		long left = holding.lease.remaining().toNanos();
		later(left + 10_000, () -> {
			if (holding.isReleased()) {
				return;
			}
			if (holding.lease.isValid()) {
				watch(holding, suspensions);
			}
			else {
				// What the process missed while it stood still is told one by one. Its
				// timers stood still while its machine was suspended.
				boolean slept = this.process.suspensions() > suspensions;
				this.process.after(slept ? Checker.AFTER_WAKING_NANOS : 10_000, () -> requireTold(holding));
			}
		});
	}

	private void requireTold(Holding holding) {
		if (!holding.isReleased() && !this.told.contains(holding.lease)) {
			this.world.violated(Checker.LOSS_TOLD, this.process.name + " was not told");
		}
	}

	/**
	 * Looks whether a stage has completed when it must have. A process that stood still
	 * has as long again.
	 */
	private void requireCompleted(String promise, CompletionStage<?> stage, long nanos) {
		int pauses = this.process.pauses();
		this.process.after(nanos, () -> {
			if (stage.toCompletableFuture().isDone()) {
				return;
			}
			if (this.process.pauses() > pauses) {
				requireCompleted(promise, stage, nanos);
			}
			else {
				this.world.violated(promise, this.process.name + " waits for a stage");
			}
		});
	}

	private void later(long nanos, Runnable work) {
		this.world.after(this.process.clock.toWorldNanos(nanos), () -> this.process.run(work));
	}

	private RandomGenerator random(SplittableRandom random) {
		if (this.plan.weakness() == Weakness.ENDLESS_WAIT) {
			return new RandomGenerator() {
				@Override
				public long nextLong() {
					return random.nextLong();
				}

				@Override
				public long nextLong(long bound) {
					boolean limits = bound == Internals.longestWaitForRelease().toNanos() / 2 + 1;
					return limits ? -Duration.ofHours(1).toNanos() : random.nextLong(bound);
				}
			};
		}
		if (this.plan.weakness() != Weakness.ONE_TOKEN) {
			return random;
		}
		return new RandomGenerator() {
			@Override
			public long nextLong() {
				return random.nextLong();
			}

			@Override
			public void nextBytes(byte[] bytes) {
				java.util.Arrays.fill(bytes, (byte) 7);
			}
		};
	}

	/**
	 * Nothing where clocks do not creep: other weaknesses would hide behind it.
	 */
	private static Duration clockStep(Plan plan, Duration maxTtl) {
		boolean counted = plan.has(Plan.Fault.NODE_CREEP) && plan.weakness() == Weakness.NONE;
		return counted ? SimGuard.unnoticed(maxTtl, SimLink.LONGEST_PAUSE, SimLink.ROUND_TRIP) : Duration.ZERO;
	}

	/**
	 * Where only the monotonic clock is looked at, the wall clock is only good for the
	 * first fences.
	 */
	private static Ticker ticker(Weakness weakness, SimClock clock) {
		long started = clock.epochMicros() - clock.nanoTime() / 1_000;
		return new Ticker() {
			@Override
			public long nanoTime() {
				return (weakness == Weakness.WALL_CLOCK) ? clock.epochMicros() * 1_000 : clock.nanoTime();
			}

			@Override
			public long epochMicros() {
				return (weakness == Weakness.MONOTONIC_CLOCK) ? started + clock.nanoTime() / 1_000
						: clock.epochMicros();
			}
		};
	}

	private static RedlockSettings settings(Duration maxTtl, String owner, int lockDelayMillis, Duration clockStep) {
		return RedlockSettings.builder()
			.keyPrefix("")
			.owner(owner)
			.ttl(Duration.ofMillis(300))
			.maxTtl(maxTtl)
			.retryDelay(Duration.ofMillis(30))
			.nodeTimeout(SimProcess.NODE_TIMEOUT)
			.maxHold(Duration.ofSeconds(2))
			.shutdownTimeout(Duration.ZERO)
			.releaseRunning(true)
			.lockDelay(Duration.ofMillis(lockDelayMillis))
			.clockStep(clockStep)
			.build();
	}

}
