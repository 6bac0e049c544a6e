package dev.redlock.benchmarks.contender;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * The contenders by name.
 */
public enum Library {

	/**
	 * The least that a Redlock can do, written by hand.
	 */
	FLOOR("floor", true, FloorContender::new, "set"),

	/**
	 * This project, with its defaults: fences and restart guard are on.
	 */
	REDLOCK("redlock", true, RedlockContender::withDefaults),

	/**
	 * This project without fences and restart guard.
	 */
	REDLOCK_UNFENCED("redlock-unfenced", true, RedlockContender::unfenced),

	/**
	 * The Redlock of Redisson.
	 */
	REDISSON_REDLOCK("redisson-redlock", true, RedissonContender::redLock),

	/**
	 * The lock of Redisson on one server.
	 */
	REDISSON_SINGLE("redisson-single", false, RedissonContender::single),

	/**
	 * The lock registry of Spring Integration on one server, which asks again and again.
	 */
	SPRING_INTEGRATION_SPIN("spring-integration-spin", false,
			(ports, terms) -> new SpringIntegrationContender(ports, terms, RedisLockType.SPIN_LOCK)),

	/**
	 * The lock registry of Spring Integration on one server, which is told of releases.
	 */
	SPRING_INTEGRATION_PUBSUB("spring-integration-pubsub", false,
			(ports, terms) -> new SpringIntegrationContender(ports, terms, RedisLockType.PUB_SUB_LOCK)),

	/**
	 * ShedLock on one server. It does not wait for a lock.
	 */
	SHEDLOCK("shedlock", false, ShedLockContender::new, "set", "del");

	private final String label;

	private final boolean onAllServers;

	private final BiFunction<List<Integer>, Terms, Contender> opener;

	private final Set<String> plainCommands;

	Library(String label, boolean onAllServers, BiFunction<List<Integer>, Terms, Contender> opener,
			String... plainCommands) {
		this.label = label;
		this.onAllServers = onAllServers;
		this.opener = opener;
		this.plainCommands = Set.of(plainCommands);
	}

	/**
	 * The contender of that name.
	 * @param label the name
	 * @return the contender
	 */
	public static Library named(String label) {
		return Arrays.stream(values())
			.filter((library) -> library.label.equals(label))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No contender is named " + label + ". There are "
					+ Arrays.stream(values()).map(Library::label).toList()));
	}

	/**
	 * Those who wait for a lock that is held.
	 * @return the contenders in their order
	 */
	public static Set<Library> thatWait() {
		return EnumSet.complementOf(EnumSet.of(REDLOCK_UNFENCED, SHEDLOCK));
	}

	/**
	 * All but the variants.
	 * @return the contenders in their order
	 */
	public static Set<Library> all() {
		return EnumSet.complementOf(EnumSet.of(REDLOCK_UNFENCED));
	}

	/**
	 * Those who ask several servers.
	 * @return the contenders in their order
	 */
	public static Set<Library> withQuorum() {
		return EnumSet.of(FLOOR, REDLOCK, REDISSON_REDLOCK);
	}

	/**
	 * This project with and without what makes it safer, and the floor.
	 * @return the contenders in their order
	 */
	public static Set<Library> fenced() {
		return EnumSet.of(FLOOR, REDLOCK, REDLOCK_UNFENCED);
	}

	/**
	 * The name in tables and on the command line.
	 * @return the name
	 */
	public String label() {
		return this.label;
	}

	/**
	 * How many of the servers it uses.
	 * @param servers how many there are
	 * @return all of them, or one
	 */
	public int serversOf(int servers) {
		return this.onAllServers ? servers : 1;
	}

	/**
	 * The commands that it sends as such, not only from within scripts.
	 * @return the names of the commands
	 */
	public Set<String> plainCommands() {
		return this.plainCommands;
	}

	/**
	 * Connects.
	 * @param ports the ports of the servers on this machine
	 * @param terms what all contenders are given alike
	 * @return the lock
	 */
	public Contender open(List<Integer> ports, Terms terms) {
		return this.opener.apply(ports.subList(0, serversOf(ports.size())), terms);
	}

}
