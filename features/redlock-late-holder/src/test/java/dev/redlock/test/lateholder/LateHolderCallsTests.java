package dev.redlock.test.lateholder;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.job.RedLockJob;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.WithoutLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Kinds of calls, calls that make it hard for the test, and mistakes in using it.
 */
@SpringBootTest(properties = "spring.datasource.hikari.maximum-pool-size=2")
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateHolderCallsTests {

	@Autowired
	Counter counter;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	TransactionOperations transactions;

	@Autowired
	RedLockOperations locks;

	@Autowired
	LateHolder lateHolder;

	@Test
	void aTransactionAroundTheLockIsRolledBackWhenTheLockIsLost() {
		assertThat(tableOf(() -> lockInTransaction()))
			.containsPattern("1  update counter .*rolled back: LockLostException");
	}

	@Test
	void aRowLockKeepsTheRivalOut() {
		assertThat(tableOf(() -> this.counter.transactionInLock()))
			.containsPattern("2  commit +LANDED LATE.*; the rival had to wait");
	}

	@Test
	void aTemplateWithSeveralNamesAndANestedCallIsOneCall() {
		assertThat(tableOf(() -> this.locks.execute(LockRequest.of("b", "a"), (lease) -> this.counter.increment())))
			.contains("lock [a, b]: 1 step.")
			.containsPattern("1  update counter .*LANDED LATE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "select n from final table (update counter set n = n + 1)",
			"SELECT n FROM FINAL TABLE (UPDATE counter AS c SET n = n + 1)",
			"select n from new table (merge into counter key (id) values (1, 7))",
			"select id from old table (delete from counter where n = -1) union select n from final table (update counter set n = n + 1)" })
	void aSelectOfTheRowsThatItChangesIsAWrite(String sql) {
		assertThat(tableOf(() -> this.counter.select(sql))).containsPattern("1  (?i)select .* +LANDED LATE");
	}

	@ParameterizedTest
	@ValueSource(strings = { "select n from counter for update",
			"select n from counter where 'delete from x' <> 'update counter set' for update",
			"select n from counter -- update counter set n = 1" })
	void aSelectThatLocksOrMentionsAWriteIsARead(String sql) {
		assertThat(tableOf(() -> this.counter.select(sql))).containsPattern("1  select .* +wrote nothing");
	}

	@Test
	void aJobIsTriedWithItsNextTickAsTheRival() {
		assertThat(tableOf(() -> this.counter.job())).containsPattern("1  update counter .*LANDED LATE");
	}

	@Test
	void aCallThatSwallowsEveryErrorStillCrashes() {
		this.lateHolder.given(this::zero).call(() -> this.counter.swallowing()).verify(() -> {
			// After a crash behind the first statement, the second one is missing.
			assertThat(value()).isIn(3, 4);
		});
	}

	@Test
	void aStepOfTheFirstRunOnlyIsLeftOut(CapturedOutput output) {
		AtomicBoolean known = new AtomicBoolean();
		this.lateHolder.given(this::zero)
			.call(() -> this.counter.after(known.getAndSet(true) ? 0 : 1))
			.verify(() -> assertThat(value()).isPositive());
		assertThat(output).contains("lock [counter]: 1 step.").doesNotContain("UNJUDGED");
	}

	@Test
	void aStepOfSomeRunsOnlyIsNotJudgedAndTheTestFails() {
		AtomicInteger runs = new AtomicInteger();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::zero)
				.call(() -> this.counter.after((runs.getAndIncrement() % 3 == 0) ? 1 : 0))
				.verify(() -> assertThat(value()).isPositive()))
			.withMessageContaining("the call did not reach this step")
			.withMessageContaining("UNJUDGED");
	}

	@Test
	void aRivalUnderAnotherLockIsNamed(CapturedOutput output) {
		this.lateHolder.given(this::zero)
			.call(() -> this.counter.increment())
			.rival(() -> this.locks.execute(LockRequest.of("other"), (lease) -> this.jdbc.update(Counter.INCREMENT)))
			.verify(() -> assertThat(value()).isPositive());
		assertThat(output).contains("The rival never held the lock of the call, [counter]. Let the rival call a "
				+ "method that takes the same lock.");
	}

	@Test
	void aCallWithoutALockIsAMistake() {
		assertThatIllegalStateException().isThrownBy(() -> tableOf(() -> this.counter.withoutLock()))
			.withMessage("The call held no lock when it used a database, an HTTP client or another bean that the test "
					+ "watches. Make the call through the Spring proxy of a bean with @RedLock, and turn locks on.");
	}

	@Test
	void aCallThatTouchesNothingIsAMistake() {
		assertThatIllegalStateException().isThrownBy(() -> tableOf(() -> this.counter.nothing()))
			.withMessageStartingWith(
					"While the call held a lock, it used no bean that the test watches. The test watches")
			.withMessageContaining("lateHolder.step(");
	}

	@Test
	@Transactional
	void aTransactionOfTheTestIsAMistake() {
		assertThatIllegalStateException().isThrownBy(() -> tableOf(() -> this.counter.increment()))
			.withMessageContaining("Remove @Transactional from the test");
	}

	@Test
	void aCallThatFailsByItselfIsAMistake() {
		assertThatIllegalStateException().isThrownBy(() -> tableOf(() -> {
			throw new IllegalArgumentException("no such order");
		}))
			.withMessage("The call fails even without a pause: IllegalArgumentException: no such order. Correct the "
					+ "state in given(…), or the call.");
	}

	@Test
	void anInvariantThatNeverHoldsIsAMistake() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.lateHolder.given(this::zero)
				.call(() -> this.counter.increment())
				.verify(() -> assertThat(value()).isZero()))
			.withMessageContaining("does not hold even if the rival runs after the end of the call");
	}

	@Test
	void aCallThatNeverEndsIsShownWithItsStack() {
		CountDownLatch never = new CountDownLatch(1);
		assertThatIllegalStateException()
			.isThrownBy(() -> this.lateHolder.given(this::zero)
				.call(() -> never.await(1, TimeUnit.HOURS))
				.within(Duration.ofMillis(50))
				.verify(this::zero))
			.withMessageStartingWith("The call has not ended within 50 ms.")
			.havingCause()
			.withMessage("The stack of the call");
	}

	@Test
	void twoAnswersToWhatLocksDoAreAMistake() {
		assertThatIllegalStateException()
			.isThrownBy(
					() -> new LateHolderContextCustomizerFactory().createContextCustomizer(Undecided.class, List.of()))
			.withMessageEndingWith("has @AutoConfigureLateHolder and @WithoutLocks, and each of them decides how "
					+ "locks work. Remove @WithoutLocks; @AutoConfigureLateHolder(servers = EMBEDDED) has real "
					+ "servers.");
	}

	@Test
	void scheduledMethodsDoNotRun(@Autowired ApplicationContext context) {
		assertThat(context.containsBean("org.springframework.context.annotation.internalScheduledAnnotationProcessor"))
			.isFalse();
	}

	/**
	 * Returns the table of a trial, which is thrown because its invariant holds only
	 * without a pause.
	 */
	private String tableOf(LateHolder.Action call) {
		AtomicInteger checks = new AtomicInteger();
		try {
			this.lateHolder.given(this::zero)
				.call(call)
				.rival(call)
				.verify(() -> assertThat(checks.incrementAndGet()).isOne());
		}
		catch (AssertionError ex) {
			return ex.getMessage();
		}
		throw new IllegalStateException("The invariant held in each run");
	}

	private void lockInTransaction() {
		this.transactions.executeWithoutResult((transaction) -> this.counter.increment());
	}

	private void zero() {
		this.jdbc.update("update counter set n = 0");
	}

	private int value() {
		return this.jdbc.queryForObject("select n from counter", Integer.class);
	}

	@AutoConfigureLateHolder
	@WithoutLocks
	static class Undecided {

	}

	static class Counter {

		private static final String INCREMENT = "update counter set n = n + 1";

		private final JdbcTemplate jdbc;

		Counter(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@RedLock("counter")
		public int increment() {
			return this.jdbc.update(INCREMENT);
		}

		@RedLock("counter")
		public void after(int reads) {
			for (int i = 0; i < reads; i++) {
				this.jdbc.queryForList("select n from counter");
			}
			this.jdbc.update(INCREMENT);
		}

		@RedLock("counter")
		public void select(String sql) {
			this.jdbc.queryForList(sql);
		}

		@RedLock("counter")
		@Transactional
		public void transactionInLock() {
			this.jdbc.update(INCREMENT);
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@RedLockJob("nightly")
		public void job() {
			this.jdbc.update(INCREMENT);
		}

		@RedLock("counter")
		public void swallowing() {
			for (int i = 0; i < 2; i++) {
				try {
					this.jdbc.update(INCREMENT);
				}
				catch (Throwable ex) {
					assertThat(ex).isNotNull();
				}
			}
		}

		@RedLock("counter")
		public void nothing() {
		}

		public void withoutLock() {
			increment();
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		Counter counter(JdbcTemplate jdbc) {
			jdbc.execute("create table counter (id int, n int)");
			jdbc.update("insert into counter (id, n) values (1, 0)");
			return new Counter(jdbc);
		}

	}

}
