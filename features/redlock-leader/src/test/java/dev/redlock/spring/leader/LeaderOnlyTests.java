package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.CurrentLease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The same methods in two applications, the first of which leads.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderOnlyTests {

	@RegisterExtension
	final LockWorld world = new LockWorld();

	private final Host one = new Host(this.world, this.world.redlock);

	private final Host two = new Host(this.world, this.world.other);

	@BeforeEach
	void start() {
		this.one.candidate.leaders.start();
		this.two.candidate.leaders.start();
	}

	@AfterEach
	void stop() {
		this.one.stop();
		this.two.stop();
	}

	@Test
	void aMethodRunsOnTheLeaderUnderItsLeaseAndIsSkippedElsewhere() {
		assertThat(this.one.work.term()).isEqualTo(this.one.candidate.term());
		assertThat(this.two.work.term()).isNull();
		assertThat(this.two.work.optional()).isEmpty();
	}

	@Test
	void aMethodMayThrowElsewhere() {
		assertThat(this.one.work.important()).isEqualTo("done");
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.two.work::important)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.HELD))
			.withMessage("This process does not lead the role 'importer'.");
	}

	@Test
	void aSkippedMethodThrowsWithoutAQuorumBecauseNoInstanceLeads() {
		this.world.loseQuorum();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.two.work::term)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_QUORUM))
			.withMessage(
					"This process does not lead the role 'importer', and no process can. Nodes that are ready: 1 of 3, "
							+ "needed: 2. Nodes that do not vote: a (UNAVAILABLE), b (UNAVAILABLE).");
		assertThat(this.two.work.skippedAlways()).isNull();
	}

	@Test
	void aScheduledMethodIsSkippedWithoutAQuorumSoThatNoSchedulerLogsEachCall(CapturedOutput output) {
		this.world.loseQuorum();
		this.world.time.advance(LockWorld.TOO_LONG);
		for (int call = 0; call < 10; call++) {
			assertThat(this.two.work.scheduled()).isNull();
		}
		assertThat(output).containsOnlyOnce("Skipped " + Work.class.getName() + ".scheduled()")
			.contains("no process can. Nodes that are ready: 1 of 3")
			.doesNotContain("\tat ");
	}

	@Test
	void anotherInstanceRunsTheMethodAfterAHandOver() {
		long first = this.one.work.term();
		this.one.candidate.role.yield();
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.one.work.term()).isNull();
		assertThat(this.two.work.term()).isGreaterThan(first);
	}

	@Test
	void aStageKeepsTheLeaseUntilItCompletes() {
		assertThat(this.two.work.stage(CompletableFuture.completedFuture("done"))).isCompletedWithValue(null);
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletionStage<String> answer = this.one.work.stage(work);
		this.one.candidate.role.yield();
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.two.candidate.isLeader()).isFalse();
		work.complete("done");
		assertThat(answer.toCompletableFuture()).isCompletedWithValue("done");
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.two.candidate.isLeader()).isTrue();
	}

	@Test
	void eachSubscriptionToAPublisherIsACall() {
		Mono<Long> term = this.two.work.mono();
		assertThat(term.blockOptional()).isEmpty();
		assertThat(this.one.work.mono().block()).isEqualTo(this.one.candidate.term());
		assertThat(this.one.work.flux().collectList().block()).containsExactly(1, 2, 3);
		assertThat(this.two.work.flux().collectList().block()).isEmpty();
		this.one.candidate.role.yield();
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(term.block()).isEqualTo(this.two.candidate.term());
	}

	@Test
	void theTransactionOfAMethodIsInsideOfItsLeaseAndNotBegunElsewhere() {
		assertThat(this.one.work.transactional()).isTrue();
		assertThat(this.two.work.transactional()).isNull();
		assertThat(this.one.transactions.begun).isOne();
		assertThat(this.two.transactions.begun).isZero();
	}

	@Test
	void aCallInsideOfATransactionKeepsTheLeaseUntilThatHasEnded() {
		this.one.outer.inTransaction(() -> {
			assertThat(this.one.work.term()).isNotNull();
			this.one.candidate.role.yield();
			this.world.time.advance(Duration.ofMillis(5));
			assertThat(this.two.candidate.isLeader()).isFalse();
		});
		this.world.time.advance(Duration.ofMillis(5));
		assertThat(this.two.candidate.isLeader()).isTrue();
	}

	/**
	 * One application.
	 */
	private static final class Host {

		private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

		private final Transactions transactions = new Transactions();

		private final Candidate candidate;

		private final Work work;

		private final Outer outer;

		private Host(LockWorld world, Redlock redlock) {
			this.candidate = new Candidate(world, redlock);
			this.context.registerBean(Redlock.class, () -> redlock,
					(definition) -> definition.setDestroyMethodName(""));
			this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(redlock, Runnable::run));
			this.context.registerBean(LeaderTemplate.class, () -> this.candidate.leaders);
			this.context.registerBean(PlatformTransactionManager.class, () -> this.transactions);
			this.context.register(RedlockAnnotationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class,
					WithTransactions.class, Work.class, Outer.class);
			this.context.refresh();
			this.work = this.context.getBean(Work.class);
			this.outer = this.context.getBean(Outer.class);
		}

		private void stop() {
			this.candidate.leaders.stop();
			this.context.close();
		}

	}

	@EnableTransactionManagement
	static class WithTransactions {

	}

	static class Outer {

		@Transactional
		public void inTransaction(Runnable work) {
			work.run();
		}

	}

	static class Work {

		@LeaderOnly("importer")
		public Long term() {
			return CurrentLease.require("importer").fence();
		}

		@Scheduled(fixedDelay = 3000)
		@LeaderOnly("importer")
		public String scheduled() {
			return "done";
		}

		@LeaderOnly("importer")
		public Optional<String> optional() {
			return Optional.of("done");
		}

		@LeaderOnly(value = "importer", otherwise = RedLock.OnFailure.THROW)
		public String important() {
			return "done";
		}

		@LeaderOnly(value = "importer", otherwise = RedLock.OnFailure.SKIP_ALWAYS)
		public String skippedAlways() {
			return "done";
		}

		@LeaderOnly("importer")
		public CompletableFuture<String> stage(CompletableFuture<String> work) {
			assertThat(CurrentLease.get()).isPresent();
			return work;
		}

		@LeaderOnly("importer")
		public Mono<Long> mono() {
			return ReactiveCurrentLease.require("importer").map((lease) -> lease.fence());
		}

		@LeaderOnly("importer")
		public Flux<Integer> flux() {
			return Flux.just(1, 2, 3);
		}

		@LeaderOnly("importer")
		@Transactional
		public Boolean transactional() {
			return CurrentLease.get().isPresent() && TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

	@SuppressWarnings("serial")
	static final class Transactions extends AbstractPlatformTransactionManager {

		private int begun;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.begun++;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
