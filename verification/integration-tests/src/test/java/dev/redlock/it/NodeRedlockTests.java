package dev.redlock.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications of ours with an empty key prefix, and a client of node-redlock, on the
 * same five servers. More increments: {@code -Dredlock.it.increments=20000}.
 */
@Tag("slow")
class NodeRedlockTests {

	private static final int INCREMENTS = Integer.getInteger("redlock.it.increments", 400) / 2;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration TTL = Duration.ofSeconds(30);

	/** For a lock that is to expire during the test. */
	private static final Duration BRIEF = Duration.ofSeconds(1);

	private static final Duration OFTEN = Duration.ofMillis(10);

	private static final Duration COUNTING = Duration.ofMillis(1);

	private static final List<AutoCloseable> opened = new ArrayList<>();

	private static RedisNodes nodes;

	private static SharedCounter counter;

	private static Redlock ours;

	private static NodeRedlockClient theirs;

	@BeforeAll
	static void start() throws IOException, InterruptedException {
		Path installation = NodeRedlockInstallation.installOrSkip();
		nodes = open(RedisNodes.start(5));
		counter = open(new SharedCounter());
		ours = startApplication();
		theirs = open(NodeRedlockClient.start(installation, nodes, counter.server()));
	}

	@AfterAll
	static void stop() throws Exception {
		while (!opened.isEmpty()) {
			opened.remove(opened.size() - 1).close();
		}
	}

	@Test
	void whileOursHoldsTheLockNodeRedlockIsRefused() throws Exception {
		Lease lease = acquire("exclusion:1", TTL);
		assertThat(theirs.tryAcquire("exclusion:1", TTL)).isFalse();
		assertThat(lease.isValid()).isTrue();
		assertThat(outcome(lease.releaseAsync()).confirmed()).isTrue();
		assertThat(theirs.tryAcquire("exclusion:1", TTL)).isTrue();
	}

	@Test
	void whileNodeRedlockHoldsTheLockOursIsRefused() throws InterruptedException {
		assertThat(theirs.tryAcquire("exclusion:2", TTL)).isTrue();
		LockRequest request = LockRequest.of("exclusion:2").withWaitFor(Duration.ZERO);
		assertThat(ours.attemptAndWait(request).reason()).contains(Reason.HELD);
		assertThat(theirs.release("exclusion:2")).isTrue();
		try (Lease lease = ours.attemptAndWait(request).orThrow()) {
			assertThat(lease.isValid()).isTrue();
		}
	}

	@Test
	void ourReleaseLetsAWaitingNodeRedlockIn() throws InterruptedException {
		Lease lease = acquire("release:1", TTL);
		theirs.beginAcquire("release:1", TTL);
		lease.close();
		theirs.endAcquire();
		assertThat(theirs.release("release:1")).isTrue();
	}

	@Test
	void theReleaseOfNodeRedlockLetsOurWaiterIn() throws Exception {
		assertThat(theirs.tryAcquire("release:2", TTL)).isTrue();
		CompletionStage<LockAttempt> waiting = ours.attempt(request("release:2", TTL));
		Awaitility.await().until(() -> ours.waiters().containsKey("release:2"));
		assertThat(theirs.release("release:2")).isTrue();
		outcome(waiting).orThrow().close();
	}

	@Test
	void ourReleaseAfterTheTtlDoesNotDeleteTheKeysOfNodeRedlock() throws Exception {
		Lease expired = acquire("late:1", BRIEF);
		theirs.acquire("late:1", TTL);
		Map<String, String> before = keysOfMajority("late:1");
		assertThat(before).isNotEmpty();
		assertThat(outcome(expired.releaseAsync()).released()).isZero();
		assertThat(keys("late:1")).containsAllEntriesOf(before);
		assertThat(theirs.release("late:1")).isTrue();
	}

	@Test
	void theReleaseOfNodeRedlockAfterItsTtlDoesNotDeleteOurKeys() throws Exception {
		assertThat(theirs.tryAcquire("late:2", BRIEF)).isTrue();
		Lease lease = acquire("late:2", TTL);
		Map<String, String> before = keysOfMajority("late:2");
		assertThat(before).isNotEmpty();
		assertThat(theirs.release("late:2")).isFalse();
		assertThat(keys("late:2")).containsAllEntriesOf(before);
		assertThat(outcome(lease.releaseAsync()).confirmed()).isTrue();
	}

	@Test
	void noUpdateIsLostUnderOneLock() throws InterruptedException {
		assertThat(count("count", "count")).isEqualTo(2 * INCREMENTS);
	}

	@Test
	void updatesAreLostUnderDifferentLocks() throws InterruptedException {
		assertThat(count("count:ours", "count:theirs")).isLessThan(2 * INCREMENTS);
	}

	private static int count(String ourKey, String theirKey) throws InterruptedException {
		counter.reset();
		LockRequest request = request(ourKey, TTL).withRetryDelay(OFTEN);
		theirs.beginCount(theirKey, INCREMENTS);
		for (int i = 0; i < INCREMENTS; i++) {
			Lease lease = ours.attemptAndWait(request).orThrow();
			counter.increment(COUNTING);
			lease.close();
		}
		theirs.endCount();
		return counter.value();
	}

	private static Lease acquire(String key, Duration ttl) {
		return ours.attemptAndWait(request(key, ttl)).orThrow();
	}

	private static LockRequest request(String key, Duration ttl) {
		return LockRequest.of(key).withTtl(ttl).withWaitFor(PATIENCE);
	}

	/**
	 * Leaves out a key of a former owner that a minority still has.
	 */
	private static Map<String, String> keysOfMajority(String name) {
		Map<String, String> keys = keys(name);
		List<String> all = List.copyOf(keys.values());
		keys.values().removeIf((value) -> Collections.frequency(all, value) < 3);
		return keys;
	}

	private static Map<String, String> keys(String key) {
		Map<String, String> values = new TreeMap<>();
		for (RedisNode node : nodes.asList()) {
			Object value = node.command("GET", key);
			if (value != null) {
				values.put(node.name(), (String) value);
			}
		}
		return values;
	}

	private static <T> T outcome(CompletionStage<T> stage) throws Exception {
		return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	private static Redlock startApplication() {
		ConfigurableApplicationContext context = open(LockedApplication.start(nodes, "redlock.key-prefix="));
		LockedApplication.awaitReady(context);
		return context.getBean(Redlock.class);
	}

	private static <T extends AutoCloseable> T open(T resource) {
		opened.add(resource);
		return resource;
	}

}
