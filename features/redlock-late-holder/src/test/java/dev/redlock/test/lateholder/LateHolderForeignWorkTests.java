package dev.redlock.test.lateholder;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.job.RedLockJob;
import dev.redlock.spring.leader.LeaderOnly;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Steps belong to the call: the test is not misled by work on other threads.
 */
@SpringBootTest(properties = { "redlock.jobs.history.enabled=true", "redlock.jobs.history.initialize-schema=always",
		"spring.datasource.url=jdbc:h2:mem:foreign", "spring.datasource.hikari.maximum-pool-size=5" })
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateHolderForeignWorkTests {

	@Autowired
	Payments payments;

	@Autowired
	Outbox outbox;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	RedLockOperations locks;

	@Autowired
	LateHolder lateHolder;

	private final ExecutorService pool = Executors
		.newSingleThreadExecutor((task) -> new Thread(task, "flusher-of-the-test"));

	@BeforeEach
	void startPool() {
		this.pool.submit(() -> {
		});
	}

	@AfterEach
	void stopPool() {
		this.pool.shutdownNow();
	}

	@Test
	void aJobWithAHistoryThatChargesTwiceFails() {
		assertThat(brokenBy(() -> this.payments.chargeAll())).containsPattern("2  charge +LANDED LATE.*BROKEN")
			.containsPattern("3  update payment .*LANDED LATE.*BROKEN")
			.doesNotContain("redlock_job");
	}

	@Test
	void aWriteOfAnotherThreadLeavesTheStepUnjudged() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> trialWithFlushes().verify(this::nothing))
			.withMessageContaining("UNJUDGED")
			.withMessageContaining("The thread flusher-of-the-test wrote (update payment set flushes = flushes + 1)")
			.withMessageContaining("excludeThreads(\"flusher-of-the-test\")");
	}

	@Test
	void aThreadThatTheTestExcludesIsNoStepAndLeavesNothingUnjudged(CapturedOutput output) {
		trialWithFlushes().excludeThreads("flusher-of").verify(this::nothing);
		assertThat(output).contains(": 1 step.").doesNotContain("UNJUDGED", "flushes");
	}

	@Test
	void aReadOfAnotherThreadIsNoStep(CapturedOutput output) {
		this.lateHolder.given(this::reset)
			.call(() -> this.payments
				.beside(() -> on(this.pool, () -> this.jdbc.queryForList("select * from payment"))))
			.verify(this::nothing);
		assertThat(output).contains(": 1 step.").doesNotContain("UNJUDGED");
	}

	@Test
	void aTaskThatAnEarlierRunLeftBehindIsNoPartOfTheCall(CapturedOutput output) {
		this.lateHolder.given(this::reset).call(() -> this.payments.payAndLeaveATask()).verify(this::nothing);
		this.payments.endTask();
		assertThat(output).contains(": 1 step.").doesNotContain("UNJUDGED");
	}

	@Test
	void aThreadWithALockOfItsOwnIsNoPartOfTheCall() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::reset)
				.call(() -> this.payments.beside(() -> on(this.pool,
						() -> this.locks.execute(LockRequest.of("outbox"),
								(lease) -> this.jdbc.update(Payments.FLUSH)))))
				.verify(this::nothing))
			.withMessageContaining("1 step.")
			.withMessageContaining("UNJUDGED");
	}

	@Test
	void workOnAnExecutorOfTheApplicationBelongsToTheCall() {
		this.outbox.warmUp();
		assertThat(brokenBy(() -> this.payments.payInBackground())).containsPattern("2  charge +LANDED LATE.*BROKEN");
	}

	@Test
	void aNewThreadBelongsToTheCall() {
		assertThat(brokenBy(() -> this.payments.payOnNewThread())).containsPattern("2  charge +LANDED LATE.*BROKEN");
	}

	@Test
	void aCallOnAThreadOfAServerIsFoundByItsLease() {
		assertThat(brokenBy(() -> on(this.pool, this.payments::pay)))
			.contains("Payments.pay, lock [payments]: 3 steps.")
			.containsPattern("2  charge +LANDED LATE.*BROKEN");
	}

	@Test
	void leadersRestUnlessTheCallNeedsThem(CapturedOutput output) {
		this.lateHolder.given(this::reset).call(() -> this.payments.beside(() -> {
		})).verify(this::nothing);
		assertThat(output).doesNotContain("This process leads the role");
		this.lateHolder.given(this::reset).call(() -> this.payments.lead()).verify(this::nothing);
		assertThat(output).contains("This process leads the role 'cleaner'");
		int length = output.toString().length();
		this.lateHolder.given(this::reset).call(() -> this.payments.beside(() -> {
		})).verify(this::nothing);
		assertThat(output.toString().substring(length)).doesNotContain("leads the role");
	}

	private LateHolder.Trial trialWithFlushes() {
		return this.lateHolder.given(this::reset)
			.call(() -> this.payments.beside(() -> on(this.pool, () -> this.jdbc.update(Payments.FLUSH))));
	}

	private String brokenBy(LateHolder.Action call) {
		try {
			this.lateHolder.given(this::reset).call(call).verify(() -> assertThat(this.payments.charges()).hasValue(1));
		}
		catch (AssertionError ex) {
			return ex.getMessage();
		}
		throw new IllegalStateException("The call passed, although it charges twice");
	}

	private void reset() {
		this.payments.charges().set(0);
		this.jdbc.update("update payment set paid = 0, flushes = 0");
	}

	private void nothing() {
	}

	private static void on(ExecutorService pool, Runnable work) {
		CompletableFuture.runAsync(work, pool).join();
	}

	static class Outbox {

		@Async
		CompletableFuture<Void> run(Runnable work) {
			work.run();
			return CompletableFuture.completedFuture(null);
		}

		void warmUp() {
		}

	}

	static class Payments {

		static final String FLUSH = "update payment set flushes = flushes + 1";

		private final JdbcTemplate jdbc;

		private final LateHolder lateHolder;

		private final Outbox outbox;

		private final AtomicInteger charges = new AtomicInteger();

		private volatile CompletableFuture<Void> nextRun = new CompletableFuture<>();

		private volatile CompletableFuture<Void> task = CompletableFuture.completedFuture(null);

		Payments(JdbcTemplate jdbc, LateHolder lateHolder, Outbox outbox) {
			this.jdbc = jdbc;
			this.lateHolder = lateHolder;
			this.outbox = outbox;
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@RedLockJob("charge-all")
		public void chargeAll() throws Exception {
			awaitHistory();
			charge();
		}

		/**
		 * Lets the history write its row first, as a fast database would.
		 */
		private void awaitHistory() throws Exception {
			long start = System.nanoTime();
			try (Connection own = DriverManager.getConnection("jdbc:h2:mem:foreign", "sa", "");
					PreparedStatement runs = own
						.prepareStatement("select count(*) from redlock_job where ended_at is null")) {
				boolean written = false;
				while (!written && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(1)) {
					try (ResultSet rows = runs.executeQuery()) {
						written = rows.next() && rows.getLong(1) > 0;
					}
				}
			}
		}

		@RedLock("payments")
		public void beside(Runnable other) {
			other.run();
			this.jdbc.update("update payment set paid = 1");
		}

		/**
		 * Starts a task that writes during the next run.
		 */
		@RedLock("payments")
		public void payAndLeaveATask() {
			endTask();
			CompletableFuture<Void> next = new CompletableFuture<Void>().orTimeout(20, TimeUnit.SECONDS);
			this.nextRun = next;
			this.jdbc.update("update payment set paid = 1");
			this.task = this.outbox.run(() -> {
				next.join();
				this.jdbc.update(FLUSH);
			});
		}

		public void endTask() {
			this.nextRun.complete(null);
			this.task.join();
		}

		@RedLock("payments")
		public void pay() {
			charge();
		}

		@RedLock("payments")
		public void payInBackground() {
			this.outbox.run(this::charge).join();
		}

		@RedLock("payments")
		public void payOnNewThread() {
			CompletableFuture.runAsync(this::charge, new SimpleAsyncTaskExecutor()).join();
		}

		@LeaderOnly("cleaner")
		public void lead() {
			this.jdbc.update("update payment set paid = 1");
		}

		AtomicInteger charges() {
			return this.charges;
		}

		private void charge() {
			if (this.jdbc.queryForObject("select paid from payment", Integer.class) == 0) {
				this.lateHolder.step("charge");
				this.charges.incrementAndGet();
				this.jdbc.update("update payment set paid = 1");
			}
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableScheduling
	@EnableAsync
	static class Application {

		@Bean
		Outbox outbox() {
			return new Outbox();
		}

		@Bean
		Payments payments(JdbcTemplate jdbc, LateHolder lateHolder, Outbox outbox) {
			jdbc.execute("create table payment (paid int, flushes int)");
			jdbc.update("insert into payment values (0, 0)");
			return new Payments(jdbc, lateHolder, outbox);
		}

	}

}
