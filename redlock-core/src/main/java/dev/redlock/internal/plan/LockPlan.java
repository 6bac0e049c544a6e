package dev.redlock.internal.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.redlock.LockRequest;
import dev.redlock.QuorumStatus;
import dev.redlock.RedlockSettings;
import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lock, with all defaults filled in and checked.
 */
public record LockPlan(Set<String> resources, List<String> keys, List<LockNode> nodes, Duration ttl, double driftFactor,
		Duration nodeTimeout, Duration waitFor, int retryCount, Duration retryDelay, boolean renew, Duration maxHold,
		Duration atLeast, Duration lockDelay, Duration clockStep, @Nullable String origin, @Nullable Tick tick,
		boolean awaitReason, int permits, boolean standby, boolean fenced, @Nullable Ticket ticket, boolean limitsHold,
		RequestNotifier notifier) {

	public static final int MOST_TICK_ROUNDS = 4;

	/**
	 * Checks a request, and fills in its defaults.
	 * @param notifier called after all checks, because listeners must not see an invalid
	 * request
	 */
	public static LockPlan of(LockRequest request, RedlockSettings settings, List<LockNode> all,
			Supplier<RequestNotifier> notifier) {
		Duration ttl = or(request.ttl(), settings.ttl());
		double driftFactor = or(request.clockDriftFactor(), settings.clockDriftFactor());
		settings.checkTtl(ttl, driftFactor);
		if (request.atLeast().compareTo(ttl) > 0) {
			throw new IllegalArgumentException("atLeast of " + request.atLeast() + " is longer than the ttl of " + ttl
					+ ": the nodes would forget the lock too early. Raise the ttl.");
		}
		Ticket ticket = (request.ticket() != null) ? Ticket.parse(request.ticket()) : null;
		if (ticket != null) {
			checkTicket(ticket, settings);
		}
		boolean renew = or(request.renew(), settings.renew());
		int retryCount = or(request.retryCount(), settings.retryCount());
		Duration retryDelay = or(request.retryDelay(), settings.retryDelay());
		Duration nodeTimeout = settings.nodeTimeoutFor(ttl);
		return new LockPlan(set(request.resources()), ResourceKeys.of(request.resources(), settings.keyPrefix()),
				select(request.instances(), all), ttl, driftFactor, nodeTimeout,
				waitFor(or(request.waitFor(), settings.waitFor()), retryCount, retryDelay.plus(nodeTimeout)),
				retryCount, retryDelay, renew, or(request.maxHold(), settings.maxHold()), request.atLeast(),
				settings.lockDelay(), settings.clockStep(), request.origin(), request.tick(), request.awaitReason(),
				request.permits(), request.standby(), settings.fencing() && request.permits() == 0, ticket,
				request.maxHold() != null, notifier.get());
	}

	public List<String> slotKeys(int most) {
		return IntStream.rangeClosed(1, most).mapToObj((slot) -> this.keys.get(0) + permitSuffix(slot)).toList();
	}

	/**
	 * Returns the keys that a node needs to announce the release: the lock keys, for a
	 * permit its key and the common key of all permits, on which it is announced.
	 */
	List<String> announcedKeys() {
		return (this.permits > 0) ? List.of(this.keys.get(0), keyOfAllPermits()) : this.keys;
	}

	private String keyOfAllPermits() {
		String key = this.keys.get(0);
		return key.substring(0, key.lastIndexOf('#'));
	}

	public static String permitSuffix(int number) {
		return "#" + number;
	}

	public @Nullable String permit() {
		String key = this.keys.get(0);
		return (this.permits > 0) ? this.resources.iterator().next() + key.substring(key.lastIndexOf('#')) : null;
	}

	/**
	 * Returns the request for one permit, which is a lock on a key of its own.
	 */
	public LockPlan slot(int number) {
		return new LockPlan(this.resources, List.of(this.keys.get(0) + permitSuffix(number)), this.nodes, this.ttl,
				this.driftFactor, this.nodeTimeout, this.waitFor, this.retryCount, this.retryDelay, this.renew,
				this.maxHold, this.atLeast, this.lockDelay, this.clockStep, this.origin, this.tick, this.awaitReason,
				this.permits, this.standby, this.fenced, this.ticket, this.limitsHold, this.notifier);
	}

	/**
	 * Without renewal the lock ends with its ttl, but a method whose {@code maxHold} is
	 * set expects a longer lock.
	 */
	public void checkMaxHold() {
		if (this.limitsHold && !this.renew) {
			throw new IllegalArgumentException("maxHold of " + this.maxHold.toMillis()
					+ " ms limits renewal, but the lease is not renewed and ends with its ttl of " + this.ttl.toMillis()
					+ " ms. Turn on renewal, by renew = RedLock.Renew.ON, withRenew(true) or"
					+ " redlock.renew.enabled=true, or leave maxHold out and set the ttl.");
		}
	}

	/**
	 * Whether a caller may extend a lease that has been held for some time.
	 */
	public boolean allowsExtension(Duration heldFor, Duration extension) {
		return !this.limitsHold || heldFor.compareTo(this.maxHold.minus(extension)) <= 0;
	}

	public int majority() {
		return QuorumStatus.majorityOf(this.nodes.size());
	}

	public Validity validity(Moment start) {
		return validity(start, this.ttl);
	}

	public Validity validity(Moment start, Duration granted) {
		long lost = RedlockSettings.lostNanos(granted, this.driftFactor, this.clockStep);
		return new Validity(start, granted.toNanos() - lost);
	}

	public boolean waits() {
		return !this.waitFor.isZero();
	}

	public boolean marksTickFirst() {
		return this.tick != null && !this.tick.rerun() && !this.tick.interval().isZero();
	}

	/**
	 * Whether a majority of the nodes may be able to vote on locks before the given time
	 * is over. A disconnected node may soon vote again, but a node with an unsafe
	 * configuration stays unfit.
	 */
	public boolean mayReachQuorum(Duration within) {
		long possible = this.nodes.stream().filter((node) -> mayVote(node.status(), within)).count();
		return possible >= majority();
	}

	public boolean canReachQuorumNow() {
		int ready = 0;
		for (LockNode node : this.nodes) {
			ready += (node.status().state() == State.READY) ? 1 : 0;
		}
		return ready >= majority();
	}

	private static boolean mayVote(NodeStatus status, Duration within) {
		Duration remaining = status.remaining();
		boolean tooLate = status.state() == State.QUARANTINED && remaining != null && remaining.compareTo(within) > 0;
		return !tooLate && status.state() != State.UNFIT;
	}

	/**
	 * Returns the longest time that one try may take. A request for a permit reads which
	 * permits are free and asks for one, up to two times.
	 */
	public Duration longestTry() {
		int rounds = ((this.permits > 0) ? 4 : 2) + ((this.tick != null) ? 2 * MOST_TICK_ROUNDS : 0);
		// Multiplying a Duration is a hundred times slower than multiplying nanoseconds.
		return Duration.ofNanos(this.nodeTimeout.toNanos() * rounds);
	}

	/**
	 * Limits the wait to the time that the allowed retries can take, even if the request
	 * is not first in its queue.
	 */
	private static Duration waitFor(Duration asked, int retryCount, Duration longestRetry) {
		if (retryCount < 0) {
			return asked;
		}
		Duration retries = longestRetry.multipliedBy(retryCount);
		return (retries.compareTo(asked) < 0) ? retries : asked;
	}

	public Claim claim(String token) {
		return new Claim(this.keys, token, nodeTtl(this.ttl), (this.permits > 0) ? keyOfAllPermits() : null);
	}

	/**
	 * Returns the ttl that is sent to the nodes, which includes the lock delay. The lock
	 * delay makes other owners wait longer only if the lease was lost instead of
	 * released.
	 */
	public Duration nodeTtl(Duration trusted) {
		return trusted.plus(this.lockDelay);
	}

	/**
	 * The ticket of a process in which locks are turned off has no nodes. Such a ticket
	 * is asked for like any other, and its lock is found free.
	 */
	private static void checkTicket(Ticket ticket, RedlockSettings settings) {
		if (!ticket.nodes().isEmpty() && !ticket.keyPrefix().equals(settings.keyPrefix())) {
			throw new IllegalArgumentException("The ticket for the lock on " + ticket.resources()
					+ " comes from an application with the key prefix '" + ticket.keyPrefix()
					+ "', but this application has '" + settings.keyPrefix()
					+ "'. Set the same redlock.key-prefix on both.");
		}
		if (!settings.fencing()) {
			throw new IllegalArgumentException("A ticket for the lock on " + ticket.resources()
					+ " needs fences. Set redlock.fencing.enabled=true on every client.");
		}
	}

	private static Set<String> set(List<String> names) {
		return (names.size() == 1) ? Set.of(names.get(0)) : Collections.unmodifiableSet(new LinkedHashSet<>(names));
	}

	private static <T> T or(@Nullable T value, T fallback) {
		return (value != null) ? value : fallback;
	}

	private static List<LockNode> select(Set<String> names, List<LockNode> all) {
		if (names.isEmpty()) {
			return all;
		}
		List<LockNode> selected = all.stream().filter((node) -> names.contains(node.name())).toList();
		if (selected.size() < names.size()) {
			List<String> configured = all.stream().map(LockNode::name).sorted().toList();
			throw new IllegalArgumentException("There is no Redis instance "
					+ names.stream().filter((name) -> !configured.contains(name)).sorted().toList()
					+ ". The configured instances are " + configured + ". Correct the name, or add the instance to "
					+ "redlock.instances.");
		}
		return selected;
	}

}
