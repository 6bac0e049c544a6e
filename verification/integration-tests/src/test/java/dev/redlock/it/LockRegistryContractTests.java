package dev.redlock.it;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.redlock.spring.integration.RedlockLockRegistry;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What Spring Integration documents of a lock registry that is distributed, renewable and
 * expirable, with the registries that two applications get, on five servers.
 */
class LockRegistryContractTests {

	private static final Duration BRIEF = Duration.ofMillis(200);

	private static final RedisNodes nodes = RedisNodes.start(5);

	private static ConfigurableApplicationContext context;

	private static ConfigurableApplicationContext other;

	private static RedlockLockRegistry registry;

	private static RedlockLockRegistry theirs;

	@BeforeAll
	static void start() {
		context = LockedApplication.start(nodes);
		other = LockedApplication.start(nodes, "redlock.owner=the other");
		LockedApplication.awaitReady(context);
		LockedApplication.awaitReady(other);
		registry = (RedlockLockRegistry) context.getBean(LockRegistry.class);
		theirs = (RedlockLockRegistry) other.getBean(LockRegistry.class);
	}

	@AfterAll
	static void stop() {
		other.close();
		context.close();
		nodes.close();
	}

	@Test
	void aLockIsReentrant() throws InterruptedException {
		DistributedLock lock = registry.obtain("reentrant");
		lock.lock();
		assertThat(lock.tryLock()).isTrue();
		lock.lockInterruptibly();
		lock.unlock();
		lock.unlock();
		assertThat(theirs.obtain("reentrant").tryLock()).isFalse();
		lock.unlock();
		assertFree("reentrant");
	}

	@Test
	void twoRegistriesExcludeEachOther() throws InterruptedException {
		DistributedLock ours = registry.obtain("two");
		DistributedLock foreign = theirs.obtain("two");
		for (int i = 0; i < 10; i++) {
			ours.lock();
			assertThat(foreign.tryLock()).isFalse();
			ours.unlock();
			assertThat(foreign.tryLock(5, TimeUnit.SECONDS)).isTrue();
			assertThat(ours.tryLock()).isFalse();
			foreign.unlock();
		}
	}

	@Test
	void noUpdateIsLostBetweenThreadsOfTwoRegistries() {
		int[] counter = new int[1];
		List<CompletableFuture<Void>> workers = IntStream.range(0, 4)
			.mapToObj(
					(worker) -> CompletableFuture.runAsync(() -> count((worker % 2 == 0) ? registry : theirs, counter)))
			.toList();
		workers.forEach((worker) -> assertThat(worker).succeedsWithin(60, TimeUnit.SECONDS));
		assertThat(counter[0]).isEqualTo(4 * 25);
	}

	@Test
	void anExpiredLockGoesToWhoeverAsksNextAndNotBackToWhoHadIt() throws InterruptedException {
		DistributedLock lock = registry.obtain("expired");
		lock.lock(BRIEF);
		DistributedLock foreign = theirs.obtain("expired");
		assertThat(foreign.tryLock(10, TimeUnit.SECONDS)).isTrue();
		assertThat(lock.tryLock()).isFalse();
		assertThat(lock.tryLock()).isFalse();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		foreign.unlock();
	}

	@Test
	void aRenewedLockLastsLonger() {
		DistributedLock lock = registry.obtain("renewed");
		lock.lock(BRIEF);
		registry.renewLock("renewed", Duration.ofSeconds(20));
		long renewed = nodes.asList()
			.stream()
			.filter((node) -> (Long) node.command("PTTL", "redlock:renewed") > 10_000)
			.count();
		assertThat(renewed).as("nodes that keep it longer").isGreaterThan(2);
		lock.unlock();
	}

	@Test
	void ofManyThatWaitForALockEachGetsIt() {
		AtomicInteger served = new AtomicInteger();
		registry.obtain("queue").lock();
		List<CompletableFuture<Void>> waiting = IntStream.range(0, 6)
			.mapToObj((each) -> CompletableFuture.runAsync(() -> {
				DistributedLock lock = ((each % 2 == 0) ? registry : theirs).obtain("queue");
				lock.lock();
				served.incrementAndGet();
				lock.unlock();
			}))
			.toList();
		registry.obtain("queue").unlock();
		waiting.forEach((each) -> assertThat(each).succeedsWithin(60, TimeUnit.SECONDS));
		assertThat(served).hasValue(6);
	}

	private static void count(RedlockLockRegistry registry, int[] counter) {
		for (int i = 0; i < 25; i++) {
			DistributedLock lock = registry.obtain("counter");
			lock.lock();
			try {
				counter[0]++;
			}
			finally {
				lock.unlock();
			}
		}
	}

	private static void assertFree(String key) {
		Awaitility.await().untilAsserted(() -> {
			for (RedisNode node : nodes.asList()) {
				assertThat(node.command("EXISTS", "redlock:" + key)).as(node.name()).isEqualTo(0L);
			}
		});
	}

}
