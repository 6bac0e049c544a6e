package dev.redlock.it.migration;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.redlock.LockRequest;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.shedlock.ChangeOverLockProvider;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.EmbeddedRedlock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.annotation.EnableScheduling;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples of the migration guides do what the guides say.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@EmbeddedRedlock(nodes = 3)
class MigrationExamplesTests {

	@Autowired
	private Ledger ledger;

	@Autowired
	private RedLockOperations template;

	@Autowired
	private RedlockLocks locks;

	@Autowired
	private LockProvider provider;

	@BeforeEach
	void startWithAnEmptyLedger() {
		this.ledger.entries().clear();
		this.ledger.fences().clear();
	}

	@Test
	void fromRedisson(@Autowired Payments payments) throws InterruptedException {
		assertThat(payments.pay("1")).isEqualTo(1);
		assertThat(payments.tryToPay("1")).isTrue();
		assertThat(this.ledger.fences()).hasSize(2).isSorted().doesNotHaveDuplicates();
		payments.transfer("a", "b");
		assertThat(this.ledger.entries()).containsExactly("1", "1", "a to b");
		heldByAnother("order:1", () -> assertThat(tried(payments)).isFalse());
	}

	@Test
	void fromShedLockByItsProvider(@Autowired NightJobs jobs) {
		SimpleLock elsewhere = this.provider.lock(task("night-run")).orElseThrow();
		jobs.nightRun();
		assertThat(this.ledger.entries()).isEmpty();
		elsewhere.unlock();
		jobs.nightRun();
		jobs.nightRun();
		assertThat(this.ledger.entries()).as("kept for 30 s").containsExactly("night run");
	}

	@Test
	void fromShedLockByTheJob(@Autowired NightJobs jobs) {
		jobs.closeDay();
		jobs.closeDay();
		assertThat(this.ledger.entries()).as("once for this tick").containsExactly("close day");
		assertThat(this.ledger.fences()).hasSize(1);
	}

	@Test
	void fromShedLockByTheAnnotation(@Autowired NightJobs jobs) {
		jobs.earlyRun();
		jobs.earlyRun();
		assertThat(this.ledger.entries()).as("kept for 30 s").containsExactly("early run");
		assertThat(this.ledger.fences()).hasSize(1);
	}

	@Test
	void fromSpringIntegration(@Autowired Orders orders, @Autowired LockRegistryLeaderInitiator leader)
			throws InterruptedException {
		assertThat(orders.ship("7")).isEqualTo(1);
		orders.shipFenced("7");
		assertThat(this.ledger.entries()).containsExactly("7", "7");
		Awaitility.await().until(() -> leader.getContext().isLeader());
	}

	@Test
	void fromLock4j(@Autowired Coupons coupons) {
		assertThat(coupons.redeem("ann", "ten-percent")).isEqualTo("redeemed");
		heldByAnother("coupon:ann:ten-percent",
				() -> assertThat(coupons.redeem("ann", "ten-percent")).isEqualTo("being redeemed"));
	}

	@Test
	void theReleaseInBetweenExcludesWhoHasOneLockOfTheTwo() throws Exception {
		ReentrantLock former = new ReentrantLock();
		BothLocks both = new BothLocks(former, this.locks.get("report"));
		assertThat(both.call(() -> elsewhere(former::tryLock))).as("the release before").isFalse();
		assertThat(both.call(() -> elsewhere(this.locks.get("report")::tryLock))).as("the release after").isFalse();
		assertThat(former.isLocked()).isFalse();
		assertThat(this.locks.get("report").tryLock()).isTrue();
		this.locks.get("report").unlock();
	}

	@Test
	void theProviderInBetweenSkipsATaskThatHasOneLockOfTheTwo() {
		LockProvider former = new OneProcess();
		LockProvider both = new ChangeOverLockProvider(former, this.provider);
		SimpleLock running = both.lock(task("report")).orElseThrow();
		assertThat(former.lock(task("report"))).as("the release before").isEmpty();
		assertThat(this.provider.lock(task("report"))).as("the release after").isEmpty();
		running.unlock();
		SimpleLock after = this.provider.lock(task("report")).orElseThrow();
		assertThat(both.lock(task("report"))).isEmpty();
		assertThat(former.lock(task("report"))).as("given back").isPresent();
		after.unlock();
	}

	private void heldByAnother(String resource, Runnable test) {
		this.template.execute(LockRequest.of(resource), (lease) -> {
			CompletableFuture.runAsync(test).orTimeout(20, TimeUnit.SECONDS).join();
			return null;
		});
	}

	private static boolean tried(Payments payments) {
		try {
			return payments.tryToPay("1");
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean elsewhere(Supplier<Boolean> attempt) {
		return CompletableFuture.supplyAsync(attempt).orTimeout(20, TimeUnit.SECONDS).join();
	}

	private static LockConfiguration task(String name) {
		return new LockConfiguration(ClockProvider.now(), name, Duration.ofHours(2), Duration.ZERO);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	@Import({ Ledger.class, Payments.class, NightJobs.class, LeaderConfiguration.class, Orders.class, Coupons.class })
	static class Application {

	}

}
