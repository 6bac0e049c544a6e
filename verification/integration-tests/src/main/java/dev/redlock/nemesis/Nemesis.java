package dev.redlock.nemesis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.nemesis.Event.Kind;
import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.test.RedisNode;

/**
 * Makes things fail: a few faults at a time, drawn from a seed, then all is mended, then
 * the next few.
 */
final class Nemesis {

	/**
	 * How much longer than the largest ttl a server that lost its data counts as
	 * forgetful: the rest of its quarantine, and the time until each client has seen it.
	 */
	private static final Duration FORGETFUL_FOR = Duration.ofSeconds(3);

	private static final int MOST_FAULTS = 3;

	private final NemesisSettings settings;

	private final Cluster cluster;

	private final List<ClientProcess> clients;

	private final History history;

	private final Random random;

	private final Deque<Long> forgotten = new ArrayDeque<>();

	private final List<Runnable> repairs = new ArrayList<>();

	private final ChangedSettings changed = new ChangedSettings();

	private final ServerClocks clocks;

	Nemesis(NemesisSettings settings, Cluster cluster, List<ClientProcess> clients, History history) {
		this.settings = settings;
		this.cluster = cluster;
		this.clients = clients;
		this.history = history;
		this.random = new Random(settings.seed());
		this.clocks = new ServerClocks(cluster, this.random);
	}

	void run() {
		long start = System.nanoTime();
		try {
			while (System.nanoTime() - start < this.settings.length().toNanos()) {
				strike();
				pause(200, 2_300);
				mend();
				pause(100, 900);
			}
		}
		finally {
			mend();
			this.changed.setAllBack();
		}
		this.history.note(Kind.HEALED, "", "");
	}

	private void strike() {
		List<Fault> faults = new ArrayList<>(this.settings.faults());
		Collections.sort(faults);
		List<RedisNode> untouched = new ArrayList<>(this.cluster.servers());
		int count = Math.max(1 + this.random.nextInt(MOST_FAULTS), leastFaults());
		for (int i = 0; i < count; i++) {
			Fault fault = faults.get(this.random.nextInt(faults.size()));
			switch (fault.target()) {
				case CLIENT -> breakClient(fault);
				case CONNECTIONS -> breakConnections(fault);
				case ALL_SERVERS -> breakAll(fault, untouched);
				default -> breakServer(fault, untouched);
			}
		}
	}

	/**
	 * A majority that is to forget must do so within one ttl.
	 */
	private int leastFaults() {
		return this.settings.isBeyondThePromise() ? this.settings.mostForgetful() : 1;
	}

	private void breakServer(Fault fault, List<RedisNode> untouched) {
		List<RedisNode> candidates = new ArrayList<>(switch (fault.target()) {
			case FORGETFUL_SERVER -> this.cluster.forgetful();
			case DURABLE_SERVER -> this.cluster.durable();
			default -> this.cluster.servers();
		});
		candidates.retainAll(untouched);
		candidates.removeIf((server) -> !this.changed.allows(fault, server) || !this.clocks.allow(fault, server));
		// Drawn whatever comes of it, so that the same seed goes on with the same faults.
		int choice = this.random.nextInt(NemesisSettings.SERVERS);
		if (candidates.isEmpty()) {
			return;
		}
		RedisNode server = candidates.get(choice % candidates.size());
		untouched.remove(server);
		boolean forgets = fault.forgets() || this.changed.makesForget(fault, server);
		if (forgets && !mayForget()) {
			return;
		}
		if (forgets) {
			this.forgotten.add(System.nanoTime());
		}
		this.history.note(Kind.FAULT, fault.name(), server.name());
		apply(fault, server);
	}

	private void apply(Fault fault, RedisNode server) {
		switch (fault) {
			case RESTART_EMPTY -> restartWithRightClock(server);
			case CLOCK_FORWARD, CLOCK_BACK, SMALL_STEPS, CLOCK_FAR_AHEAD -> this.clocks.step(fault, server);
			case CONFIG_POLICY -> this.changed.evict(server, this.random);
			case CONFIG_DURABILITY -> this.changed.weakenOrRestart(server);
			case RESTART_WITH_DATA -> server.restartWithData();
			case POWER_CUT -> this.cluster.cutPower(server, this.random.nextDouble());
			case FLUSHALL -> server.command("FLUSHALL");
			case KILL -> {
				server.kill();
				this.repairs.add(() -> restart(server));
			}
			case FREEZE -> {
				server.freeze();
				this.repairs.add(server::thaw);
			}
			case OUT_OF_MEMORY -> fill(server);
			default -> throw new IllegalStateException(fault + " does not happen to servers");
		}
	}

	/**
	 * It forgot when it was killed, and begins to be dangerous now.
	 */
	private void restart(RedisNode server) {
		this.forgotten.add(System.nanoTime());
		restartWithRightClock(server);
	}

	private void restartWithRightClock(RedisNode server) {
		server.kill();
		this.clocks.setRight(server);
		server.restartEmpty();
	}

	private void fill(RedisNode server) {
		server.command("CONFIG", "SET", "maxmemory", "1");
		this.repairs.add(() -> server.command("CONFIG", "SET", "maxmemory", "0"));
	}

	private void breakAll(Fault fault, List<RedisNode> untouched) {
		switch (fault) {
			case POWER_CUT_OF_ALL -> cutAllPower(untouched);
			case NO_RIGHT_TO_ANNOUNCE -> silenceAll(untouched);
			default -> fillAll(untouched);
		}
	}

	/**
	 * A server that was hit in this round may not take a command.
	 */
	private void silenceAll(List<RedisNode> untouched) {
		if (untouched.size() < NemesisSettings.SERVERS) {
			return;
		}
		untouched.clear();
		this.history.note(Kind.FAULT, Fault.NO_RIGHT_TO_ANNOUNCE.name(), "");
		this.cluster.servers().forEach((server) -> {
			server.command("ACL", "SETUSER", "default", "-publish");
			this.repairs.add(() -> server.command("ACL", "SETUSER", "default", "+publish"));
		});
	}

	/**
	 * All of them may fail, since they lose nothing that they have answered.
	 */
	private void cutAllPower(List<RedisNode> untouched) {
		List<RedisNode> durable = this.cluster.durable();
		double torn = this.random.nextDouble();
		if (!untouched.containsAll(durable)
				|| !durable.stream().allMatch((server) -> this.changed.allows(Fault.POWER_CUT, server))) {
			return;
		}
		untouched.removeAll(durable);
		this.history.note(Kind.FAULT, Fault.POWER_CUT_OF_ALL.name(), "");
		durable.forEach((server) -> this.cluster.cutPower(server, torn));
	}

	/**
	 * More than a minority may be full: a full server that does not evict loses nothing.
	 * One that does must not be among them. Nor must one that was hit in this round, as
	 * it may not take a command.
	 */
	private void fillAll(List<RedisNode> untouched) {
		if (untouched.size() < NemesisSettings.SERVERS
				|| !untouched.stream().allMatch((server) -> this.changed.allows(Fault.OUT_OF_MEMORY, server))) {
			return;
		}
		untouched.clear();
		this.history.note(Kind.FAULT, Fault.FULL_MEMORY_EVERYWHERE.name(), "");
		this.cluster.servers().forEach(this::fill);
	}

	private boolean mayForget() {
		if (!this.settings.restartGuard()) {
			return true;
		}
		long forgetfulNanos = this.settings.times().maxTtl().plus(FORGETFUL_FOR).toNanos();
		this.forgotten.removeIf((nanos) -> System.nanoTime() - nanos > forgetfulNanos);
		// A kill counts twice, when it happens and when it is mended.
		return this.forgotten.size() < this.settings.mostForgetful();
	}

	private void breakClient(Fault fault) {
		ClientProcess client = this.clients.get(this.random.nextInt(this.clients.size()));
		this.history.note(Kind.FAULT, fault.name(), client.name());
		switch (fault) {
			case CLIENT_CLOCK_FORWARD -> stepClock(client, 1);
			case CLIENT_CLOCK_BACK -> stepClock(client, -1);
			default -> {
				client.freeze();
				long start = System.nanoTime();
				int ttlMillis = (int) this.settings.times().mostTtl().toMillis();
				pause((fault == Fault.SUSPEND_CLIENT) ? 20 : ttlMillis + 100, ttlMillis + 1_100);
				if (fault == Fault.SUSPEND_CLIENT) {
					this.cluster.hide(client.name(), Duration.ofNanos(System.nanoTime() - start));
				}
				client.thaw();
			}
		}
	}

	private void stepClock(ClientProcess client, int direction) {
		int seconds = this.random.nextBoolean() ? 1 + this.random.nextInt(10) : 1 + this.random.nextInt(3_600);
		this.cluster.setClock(client.name(), Duration.ofSeconds((long) direction * seconds));
		this.repairs.add(() -> this.cluster.setClock(client.name(), Duration.ZERO));
	}

	private void breakConnections(Fault fault) {
		List<FaultProxy> broken = someLinks(fault);
		Traffic traffic = fault.traffic();
		switch (fault) {
			case RESET -> broken.forEach(FaultProxy::reset);
			case HALF_OPEN -> broken.forEach(FaultProxy::halfOpen);
			default -> {
				Traffic applied = (traffic != null) ? traffic : slow();
				broken.forEach((link) -> link.set(applied));
				this.repairs.add(() -> broken.forEach((link) -> link.set(Traffic.CLEAR)));
			}
		}
	}

	private Traffic slow() {
		return Traffic.delayed(Duration.ofMillis(this.random.nextInt(120)), Duration.ofMillis(this.random.nextInt(80)));
	}

	/**
	 * One client and all servers, all clients and one server, or any.
	 */
	private List<FaultProxy> someLinks(Fault fault) {
		int shape = this.random.nextInt(3);
		int theClient = this.random.nextInt(this.clients.size());
		int theServer = this.random.nextInt(this.cluster.servers().size());
		List<FaultProxy> links = new ArrayList<>();
		StringBuilder names = new StringBuilder();
		for (int client = 0; client < this.clients.size(); client++) {
			for (int server = 0; server < this.cluster.servers().size(); server++) {
				boolean chosen = switch (shape) {
					case 0 -> client == theClient;
					case 1 -> server == theServer;
					default -> this.random.nextInt(3) == 0;
				};
				if (chosen) {
					links.add(this.cluster.link(client, server));
					names.append(client).append(this.cluster.servers().get(server).name()).append(' ');
				}
			}
		}
		this.history.note(Kind.FAULT, fault.name(), names.toString().trim());
		return links;
	}

	private void mend() {
		this.repairs.forEach(Runnable::run);
		this.repairs.clear();
		this.changed.roundIsOver();
	}

	private void pause(int leastMillis, int mostMillis) {
		pause(this.random, leastMillis, mostMillis);
	}

	static void pause(Random random, int leastMillis, int mostMillis) {
		long nanos = Duration.ofMillis(leastMillis + random.nextInt(mostMillis - leastMillis)).toNanos();
		for (long end = System.nanoTime() + nanos; nanos > 0; nanos = end - System.nanoTime()) {
			LockSupport.parkNanos(nanos);
		}
	}

}
