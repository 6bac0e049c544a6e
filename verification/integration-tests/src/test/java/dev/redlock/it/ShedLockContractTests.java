package dev.redlock.it;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.spring.shedlock.RedlockLockProvider;
import dev.redlock.test.RedisNodes;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import net.javacrumbs.shedlock.test.support.FuzzTester;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What ShedLock expects of a provider whose locks can be extended: its own tests, with
 * the provider that an application gets, on five servers.
 */
class ShedLockContractTests extends AbstractExtensibleLockProviderIntegrationTest {

	private static final RedisNodes nodes = RedisNodes.start(5);

	private static ConfigurableApplicationContext context;

	/** A fuzz test ends at the first attempt that a busy machine does not answer. */
	private static ConfigurableApplicationContext patient;

	@BeforeAll
	static void start() {
		context = LockedApplication.start(nodes);
		LockedApplication.awaitReady(context);
		patient = LockedApplication.start(nodes, "redlock.node-timeout=5s");
		LockedApplication.awaitReady(patient);
	}

	@AfterAll
	static void stop() {
		patient.close();
		context.close();
		nodes.close();
	}

	@Override
	@Test
	@Tag("slow")
	public void fuzzTestShouldPass() throws ExecutionException, InterruptedException {
		new FuzzTester(patient.getBean(LockProvider.class)).doFuzzTest();
	}

	/**
	 * The locks of ShedLock's tests go from thread to thread of one application. Here
	 * every other attempt is that of a second one.
	 */
	@Test
	@Tag("slow")
	void fuzzTestWithTwoApplicationsShouldPass() throws ExecutionException, InterruptedException {
		try (ConfigurableApplicationContext other = LockedApplication.start(nodes, "redlock.node-timeout=5s",
				"redlock.owner=the other")) {
			LockedApplication.awaitReady(other);
			LockProvider theirs = other.getBean(LockProvider.class);
			LockProvider ours = patient.getBean(LockProvider.class);
			AtomicInteger attempts = new AtomicInteger();
			LockProvider either = (configuration) -> ((attempts.getAndIncrement() % 2 == 0) ? ours : theirs)
				.lock(configuration);
			new FuzzTester(either, Duration.ofMillis(1), Duration.ofMinutes(5), 40).doFuzzTest();
		}
	}

	@Override
	protected ExtensibleLockProvider getLockProvider() {
		return context.getBean(RedlockLockProvider.class);
	}

	@Override
	protected void assertLocked(String lockName) {
		assertThat(holders(lockName)).as("nodes that hold " + lockName).isGreaterThan(2);
	}

	/**
	 * A release is on its way when unlock returns, and need not have arrived.
	 */
	@Override
	protected void assertUnlocked(String lockName) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(1))
			.untilAsserted(() -> assertThat(holders(lockName)).as("nodes that hold " + lockName).isZero());
	}

	private static long holders(String lockName) {
		return nodes.asList()
			.stream()
			.filter((node) -> Long.valueOf(1).equals(node.command("EXISTS", "redlock:" + lockName)))
			.count();
	}

}
