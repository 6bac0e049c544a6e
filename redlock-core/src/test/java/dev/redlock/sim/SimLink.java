package dev.redlock.sim;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.Tick;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Fault;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.sim.SimGuard.Gain;
import dev.redlock.sim.SimMarker.Sighting;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Watch;

import static dev.redlock.Completed.completed;

/**
 * A server as one client has it: a connection, the check of what is behind it, and the
 * guard that lets no node vote that may have forgotten.
 */
final class SimLink implements LockNode {

	/** The longest that it takes to look, by a bit. */
	static final long LONGEST_LOOK_NANOS = 70_000_000;

	static final Duration LONGEST_PAUSE = Duration.ofMillis(210);

	static final Duration ROUND_TRIP = Duration.ofMillis(3);

	private static final double LOST = 0.1;

	private static final double MANY_LOST = 0.5;

	private static final double MOST_LOST = 0.9;

	static final long IDLE_NANOS = 100_000_000;

	private static final long LOOK_NANOS = 60_000_000;

	final SimServer server;

	final SimConnection connection;

	private final World world;

	private final SimProcess client;

	private final Checker checker;

	private final Plan plan;

	private final SimGuard guard;

	private final SimPauses pauses;

	private Sighting known;

	/** The leases that were handed over within their process. */
	private final Set<String> handedOver = new HashSet<>();

	private boolean checking;

	private boolean unfit;

	private boolean heard;

	private boolean unsubscribed;

	private long losesReleasesUntilNanos;

	final SimSubscriptions subscriptions;

	private SimLink(World world, Checker checker, SimProcess client, SimServer server, Plan plan, Duration maxTtl) {
		this.checker = checker;
		this.world = world;
		this.client = client;
		this.server = server;
		this.subscriptions = new SimSubscriptions(server.data);
		this.plan = plan;
		this.guard = SimGuard.of(client.clock, maxTtl, plan.weakness());
		this.pauses = client.missed;
		this.pauses.add(this);
		this.connection = new SimConnection(world, client, server, plan, this::look, this::reopened, this::lost);
	}

	/**
	 * The link of a client that has used the server for long.
	 */
	static SimLink established(World world, Checker checker, SimProcess client, SimServer server, Plan plan,
			Duration maxTtl) {
		SimLink link = new SimLink(world, checker, client, server, plan, maxTtl);
		link.known = link.look();
		link.guard.knowsForLong(link.known);
		link.connection.haveBeenOpen();
		link.beat();
		link.lookAgain();
		return link;
	}

	/**
	 * The link of a client that has just started.
	 */
	static SimLink fresh(World world, Checker checker, SimProcess client, SimServer server, Plan plan,
			Duration maxTtl) {
		SimLink link = new SimLink(world, checker, client, server, plan, maxTtl);
		link.connection.connect();
		link.beat();
		link.lookAgain();
		return link;
	}

	@Override
	public String name() {
		return this.server.name;
	}

	@Override
	public NodeStatus status() {
		if (isReady()) {
			return NodeStatus.READY;
		}
		boolean connected = this.connection.isOpen() && !this.checking;
		return NodeStatus.of((connected && this.unfit) ? State.UNFIT : State.UNAVAILABLE, "");
	}

	@Override
	public long missedNanos() {
		return this.pauses.missedNanos();
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		this.checker.asked.accept(claim.keys());
		Claim asked = (this.plan.weakness() == Weakness.LAPSED_HANDED_OVER) ? this.client.succeedingLapsed(claim)
				: claim;
		CompletionStage<Vote> vote = bound(true, false,
				(data) -> written(claim, Weakened.acquire(this.plan.weakness(), data, local(data, asked), fence)));
		if (claim.succeeds() != null && !claim.succeeds().strict()) {
			this.handedOver.add(claim.succeeds().token());
		}
		return switch (this.plan.weakness()) {
			case LOSERS_WAITED_FOR -> vote.thenApply((given) -> this.client.likeTheFirstRefusal(claim.token(), given));
			case ENDLESS_CLAIMS -> vote.thenApply(Weakened::endless);
			default -> vote;
		};
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return bound(false, true, (data) -> {
			if (Weakened.settles(claim) && this.plan.has(Fault.LOST_BEFORE_RAISE) && this.world.chance(0.2)) {
				this.server.evict();
			}
			return written(claim, Weakened.extend(this.plan.weakness(), data, local(data, claim), fence));
		});
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return bound(true, false, (data) -> written(claim, completed(data.restore(local(data, claim), fence))));
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		boolean forgotten = this.known != null
				&& tick.mayBeForgotten(this.known.sinceClientMicros(), this.client.clock.epochMicros())
				|| this.guard.knownLife().equals(SimGuard.NO_LIFE);
		if (forgotten && this.plan.weakness() != Weakness.FORGOTTEN_TICKS) {
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.STALE, "may have forgotten", false));
		}
		return bound(false, false, (data) -> Weakened.tick(this.plan.weakness(), data, claim, tick, mark));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		boolean told = announce && !this.client.silent
				&& (this.plan.weakness() != Weakness.FAILURE_NOT_TOLD || this.checker.hasWon(claim.token()));
		if (this.plan.weakness() == Weakness.FAILURES_KEPT && !this.checker.hasWon(claim.token())) {
			return CompletableFuture.completedFuture(Vote.Granted.PLAIN);
		}
		if (this.plan.weakness() == Weakness.HANDED_OVER_BLINDLY && this.handedOver.contains(claim.token())) {
			return CompletableFuture.completedFuture(Vote.Granted.PLAIN);
		}
		if (this.world.nowNanos() < this.losesReleasesUntilNanos) {
			this.world.note(this.client.name, "loses a release to " + this.server.name, 0);
			return CompletableFuture.completedFuture(new Faulted(Vote.Fault.TIMEOUT, "lost", true));
		}
		return send((data) -> completed(data.release(local(data, claim), keep, told)));
	}

	@Override
	public boolean announces() {
		return !this.client.silent || this.plan.weakness() == Weakness.SILENCE_NOT_TOLD;
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return send((data) -> completed(data.inspect(key)));
	}

	@Override
	public CompletionStage<Vote> inspectAll(List<String> keys) {
		return isReady() ? send((data) -> completed(data.inspectAll(keys))) : unavailable();
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		boolean hears = !this.client.deaf || this.plan.has(Fault.WAITING);
		return hears ? new SimWatch(this.world, this.client, this, key, listener) : Watch.DEAF;
	}

	/**
	 * Whether the server would grant a claim on some keys to this client now.
	 */
	boolean wouldGrant(List<String> keys) {
		return mayVote() && Collections.disjoint(this.server.data.tokens().keySet(), keys);
	}

	/**
	 * Whether the server could vote for this client now.
	 */
	boolean mayVote() {
		return isReady() && !this.connection.isCut() && this.server.isUp() && !this.server.isFrozen();
	}

	/**
	 * Loses all subscriptions.
	 */
	void lost() {
		this.subscriptions.lost();
	}

	/**
	 * Loses each release for a while.
	 */
	void loseReleases(long nanos) {
		this.losesReleasesUntilNanos = this.world.nowNanos() + nanos;
	}

	/**
	 * Loses all subscriptions, and gets them back after a while.
	 */
	void unsubscribe(long nanos) {
		this.unsubscribed = true;
		lost();
		this.world.after(nanos, () -> {
			this.unsubscribed = false;
			subscribeAgain();
		});
	}

	boolean isSubscribable() {
		return this.connection.isOpen() && !this.unsubscribed;
	}

	boolean hidesLosses() {
		return this.plan.weakness() == Weakness.LOSS_UNNOTICED;
	}

	boolean hearsNoReleases() {
		return this.plan.weakness() == Weakness.RELEASES_UNHEARD;
	}

	/**
	 * The share of announcements that get lost.
	 */
	double lostAnnouncements() {
		return this.plan.has(Fault.FAR_CLAIMS) ? MOST_LOST
				: this.plan.has(Fault.LOST_NEWS) ? MANY_LOST : this.plan.has(Fault.WAITING) ? 0 : LOST;
	}

	private void subscribeAgain() {
		this.subscriptions.subscribeAgain();
	}

	private Claim local(InMemoryNode data, Claim claim) {
		return (this.plan.weakness() == Weakness.COUNTED_PERMITS) ? Weakened.counted(data, claim, this.plan.permits())
				: claim;
	}

	private Vote written(Claim claim, Vote vote) {
		if (vote instanceof Vote.Granted) {
			this.checker.written(claim.token(), this.server);
		}
		return vote;
	}

	/**
	 * Sends what may run only on the life of the server that was checked.
	 * @param looksAtMarker whether it looks at the marker of the data too
	 * @param extension whether it only prolongs what is there
	 */
	private CompletionStage<Vote> bound(boolean looksAtMarker, boolean extension,
			Function<InMemoryNode, Vote> operation) {
		boolean may = extension ? this.connection.isOpen() && !this.unfit && this.guard.mayExtend() : isReady();
		if (!may) {
			return unavailable();
		}
		Sighting target = this.known;
		return send(extension, (data) -> {
			boolean sameLife = target.incarnation().equals(this.server.incarnation())
					|| this.plan.weakness() == Weakness.SCRIPTS_OUTLIVE;
			boolean sameData = !looksAtMarker || this.plan.weakness() == Weakness.NO_MARKER
					|| target.marker().equals(this.server.marker());
			return ((sameLife && sameData) || this.plan.weakness() == Weakness.REPLAY) ? operation.apply(data)
					: new Faulted(Vote.Fault.STALE, "not what was checked", false);
		});
	}

	private CompletionStage<Vote> send(Function<InMemoryNode, Vote> operation) {
		return send(false, operation);
	}

	private CompletionStage<Vote> send(boolean extension, Function<InMemoryNode, Vote> operation) {
		if (!this.connection.isOpen()) {
			return unavailable();
		}
		long sentNanos = this.client.clock.nanoTime();
		int doubts = this.guard.doubts();
		CompletableFuture<Vote> stage = new CompletableFuture<>();
		this.connection.send(operation).thenAccept((vote) -> answered(stage, vote, extension, sentNanos, doubts));
		return stage;
	}

	private static CompletionStage<Vote> unavailable() {
		return CompletableFuture.completedFuture(new Faulted(Vote.Fault.UNAVAILABLE, "not ready", false));
	}

	/**
	 * What an answer is worth: a grant that tells of a step of the clock does not count,
	 * nor does one that was under way when another answer told of it. It waits while
	 * nobody knows whether a clock stepped or this client was paused. An extension
	 * counts.
	 */
	private void answered(CompletableFuture<Vote> stage, Vote vote, boolean extension, long sentNanos, int doubts) {
		if (vote instanceof Faulted faulted && faulted.fault() == Vote.Fault.STALE) {
			check();
		}
		long serverMicros = (vote instanceof Vote.Granted granted) ? granted.nodeMicros()
				: (vote instanceof Faulted faulted) ? faulted.nodeMicros() : 0;
		if (serverMicros != 0) {
			this.heard = true;
			observe(sentNanos, serverMicros);
		}
		if (extension) {
			stage.complete(vote);
		}
		else if (serverMicros != 0 && this.pauses.isAsking()) {
			this.pauses.whenDecided(() -> stage.complete(worth(vote, serverMicros, doubts)));
		}
		else {
			stage.complete(worth(vote, serverMicros, doubts));
		}
	}

	private Vote worth(Vote vote, long serverMicros, int doubts) {
		if (serverMicros != 0 && this.guard.doubts() != doubts) {
			return new Faulted(Vote.Fault.STALE, "its clock stepped", true, serverMicros);
		}
		boolean misled = this.plan.has(Fault.BAD_HINTS) && vote instanceof Vote.Granted && serverMicros != 0;
		return misled ? new Vote.Granted(((Vote.Granted) vote).fence(), serverMicros + this.client.misledByMicros)
				: vote;
	}

	private void observe(long sentNanos, long serverMicros) {
		if (!this.pauses.isAsking()) {
			if (this.guard.told(sentNanos, serverMicros)) {
				this.pauses.clockStepped(this);
			}
		}
		else if (this.pauses.isAfterStep(sentNanos)) {
			this.guard.keep(sentNanos, serverMicros);
		}
	}

	Gain gain() {
		return this.guard.gain();
	}

	/**
	 * Judges what was kept, when it is known how much time the client has missed.
	 */
	void judge(long missedMicros) {
		if (this.guard.judge(missedMicros)) {
			this.world.note(this.client.name, "doubts the clock of " + this.server.name, 0);
			check();
		}
	}

	/**
	 * Asks the server for its time.
	 * @param answered runs when the answer was observed, unless the connection breaks
	 */
	void askForTime(Runnable answered) {
		long sentNanos = this.client.clock.nanoTime();
		this.connection.send((data) -> new Vote.Granted(Claim.UNFENCED, this.server.clock.epochMicros()))
			.thenAccept((vote) -> {
				if (vote instanceof Vote.Granted granted) {
					this.heard = true;
					observe(sentNanos, granted.nodeMicros());
				}
				answered.run();
			});
	}

	/**
	 * Asks for a sign of life, which is the time, whenever nothing was heard for a while.
	 */
	private void beat() {
		if (!this.heard) {
			askForTime(() -> {
			});
		}
		this.heard = false;
		this.world.after(IDLE_NANOS, () -> this.client.run(this::beat));
	}

	/**
	 * Looks at the server again over the connection that there is; it does not vote
	 * meanwhile.
	 */
	private void check() {
		if (this.checking || !this.connection.isOpen()) {
			return;
		}
		this.checking = true;
		String knownLife = this.guard.knownLife();
		Sighting[] seen = new Sighting[1];
		this.connection.send((data) -> {
			seen[0] = look();
			return Vote.Granted.PLAIN;
		}).thenAccept((vote) -> {
			if (vote instanceof Vote.Granted && knownLife.equals(this.guard.knownLife())) {
				settle(seen[0]);
			}
			else if (vote instanceof Vote.Granted) {
				// The clock stepped meanwhile: the server has to hear of the doubt.
				this.checking = false;
				check();
			}
		});
	}

	/**
	 * Asks every now and then whether a server that votes may evict by now, and one that
	 * may whether it still does.
	 */
	private void lookAgain() {
		if (this.connection.isOpen() && !this.checking && this.plan.weakness() != Weakness.NO_LOOK
				&& this.plan.has(Fault.POLICY)) {
			boolean[] evicts = new boolean[1];
			this.connection.send((data) -> {
				evicts[0] = this.server.mayEvict();
				return Vote.Granted.PLAIN;
			}).thenAccept((vote) -> {
				boolean wasUnfit = this.unfit;
				this.unfit = (vote instanceof Vote.Granted) ? evicts[0] : this.unfit;
				if (this.unfit) {
					this.guard.forget();
				}
				else if (wasUnfit) {
					check();
				}
			});
		}
		this.world.after(LOOK_NANOS, () -> this.client.run(this::lookAgain));
	}

	private Sighting look() {
		return this.server.look(this.guard.knownLife(), this.guard.knownDurable(), this.client.clock.epochMicros());
	}

	private void reopened(Sighting seen) {
		subscribeAgain();
		if (this.known == null || this.plan.weakness() != Weakness.SCRIPTS_OUTLIVE) {
			settle(seen);
		}
	}

	private void settle(Sighting seen) {
		this.checking = false;
		this.known = seen;
		this.guard.judge(seen);
		askForTime(() -> {
		});
	}

	private boolean isReady() {
		return this.connection.isOpen() && !this.checking && !this.unfit && this.guard.letsVote();
	}

}
