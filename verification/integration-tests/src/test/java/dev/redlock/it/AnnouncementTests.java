package dev.redlock.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of a request that waits in one application for a lock that another
 * application releases.
 */
class AnnouncementTests {

	private static final LockRequest STOCK = LockRequest.of("stock")
		.withTtl(Duration.ofSeconds(30))
		.withWaitFor(Duration.ofSeconds(60));

	/** The five seconds of the promise, and as much time for a busy machine. */
	private static final Duration BOUND = Duration.ofSeconds(9);

	/** The same, and the time until silent connections are replaced. */
	private static final Duration BOUND_WITH_NEW_CONNECTIONS = BOUND.plusMillis(2_500);

	private static final Pattern PUBLISHED = Pattern.compile("cmdstat_publish:calls=(\\d+)");

	private static RedisNodes nodes;

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	private final List<FaultProxy> proxies = new ArrayList<>();

	@BeforeAll
	static void start() {
		nodes = RedisNodes.start(3);
	}

	@AfterAll
	static void stop() {
		nodes.close();
	}

	@AfterEach
	void end() {
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.proxies.forEach(FaultProxy::close);
		nodes.asList().forEach((node) -> node.command("FLUSHALL"));
	}

	@Test
	@Tag("slow")
	void aLockWhoseHolderLostTheRightToAnnounceIsAskedForWithinFiveSeconds() {
		everyNode("ACL", "SETUSER", "holder", "on", ">secret", "~*", "&*", "+@all");
		Redlock holders = application("redlock.defaults.username=holder", "redlock.defaults.password=secret");
		Lease held = acquire(holders);
		CompletableFuture<LockAttempt> waiter = waiter(application());
		everyNode("ACL", "SETUSER", "holder", "-publish");
		held.close();
		assertThat(waiter).succeedsWithin(BOUND);
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	@Tag("slow")
	void aLockWhoseKeyIsDeletedByHandIsAskedForWithinFiveSeconds() {
		acquire(application());
		CompletableFuture<LockAttempt> waiter = waiter(application());
		everyNode("DEL", "redlock:stock");
		assertThat(waiter).succeedsWithin(BOUND);
		assertThat(waiter.join().lease()).isPresent();
	}

	/** As a firewall does that forgets idle connections. */
	@Test
	@Tag("slow")
	void aLockIsAskedForWithinFiveSecondsAndTheTimeUntilSilentConnectionsAreReplaced() {
		Lease held = acquire(application());
		CompletableFuture<LockAttempt> waiter = waiter(application(throughProxies()));
		this.proxies.forEach(FaultProxy::halfOpen);
		held.close();
		assertThat(waiter).succeedsWithin(BOUND_WITH_NEW_CONNECTIONS);
		assertThat(waiter.join().lease()).isPresent();
	}

	@Test
	void aWaiterInAnotherDatabaseIsNotToldOfReleases() {
		Redlock others = application(database(1));
		acquire(others);
		waiter(application(database(1)));
		Redlock redlock = application();
		long before = published();
		for (int i = 0; i < 20; i++) {
			acquire(redlock).close();
		}
		awaitFree();
		assertThat(published()).isEqualTo(before);
	}

	@Test
	void aWaiterInTheSameDatabaseIsTold() {
		Lease held = acquire(application(database(1)));
		CompletableFuture<LockAttempt> waiter = waiter(application(database(1)));
		long before = published();
		held.close();
		assertThat(waiter).succeedsWithin(BOUND);
		assertThat(published()).isGreaterThan(before);
	}

	private Redlock application(String... properties) {
		// The tests leave leases open, for which a shutdown would wait.
		ConfigurableApplicationContext application = LockedApplication.start(nodes,
				StringUtils.addStringToArray(properties, "redlock.shutdown-timeout=0s"));
		this.applications.add(application);
		LockedApplication.awaitReady(application);
		return application.getBean(Redlock.class);
	}

	private String[] throughProxies() {
		return nodes.asList().stream().map((node) -> {
			FaultProxy proxy = FaultProxy.to(node.port());
			this.proxies.add(proxy);
			return "redlock.instances." + node.name() + ".port=" + proxy.port();
		}).toArray(String[]::new);
	}

	private static String[] database(int number) {
		return nodes.asList()
			.stream()
			.map((node) -> "redlock.instances." + node.name() + ".database=" + number)
			.toArray(String[]::new);
	}

	private static Lease acquire(Redlock redlock) {
		return redlock.attemptAndWait(STOCK).orThrow();
	}

	/**
	 * A request that has subscribed to releases on each server.
	 */
	private static CompletableFuture<LockAttempt> waiter(Redlock redlock) {
		CompletableFuture<LockAttempt> waiter = redlock.attempt(STOCK).toCompletableFuture();
		Awaitility.await()
			.until(() -> nodes.asList()
				.stream()
				.allMatch((node) -> String.valueOf(node.command("PUBSUB", "CHANNELS", "redlock:stock*"))
					.contains("redlock:stock")));
		return waiter;
	}

	private static void everyNode(String... command) {
		nodes.asList().forEach((node) -> node.command(command));
	}

	private static void awaitFree() {
		Awaitility.await()
			.until(() -> nodes.asList()
				.stream()
				.allMatch((node) -> Long.valueOf(0).equals(node.command("EXISTS", "redlock:stock"))));
	}

	/**
	 * How many messages the servers were told to publish.
	 */
	private static long published() {
		return nodes.asList().stream().mapToLong(AnnouncementTests::published).sum();
	}

	private static long published(RedisNode node) {
		Matcher calls = PUBLISHED.matcher(String.valueOf(node.command("INFO", "commandstats")));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

}
