package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.spring.interceptor.NestingTransactionManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

class ReactiveTransactionHoldTests {

	private final LockWorld world = new LockWorld();

	private final Manager manager = new Manager();

	private final TransactionalOperator transaction = TransactionalOperator.create(this.manager);

	/** A new transaction inside of any other. */
	private final TransactionalOperator another = TransactionalOperator.create(this.manager,
			new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));

	private final NestingTransactionManager nesting = new NestingTransactionManager();

	private final TransactionalOperator outer = TransactionalOperator.create(this.nesting);

	private final TransactionalOperator inner = TransactionalOperator.create(this.nesting,
			new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));

	private final ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.immediate());

	@Test
	void leaseIsKeptUntilTheCommit() {
		this.transaction.transactional(keep("x", LossPolicy.THROW).doOnNext((kept) -> {
			assertThat(kept).isTrue();
			assertThat(this.world.isHeld("x")).isTrue();
		})).block();
		assertThat(this.manager.log).containsExactly("begin", "commit");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void leaseIsKeptUntilTheRollback() {
		Mono<Boolean> work = keep("x", LossPolicy.THROW).then(Mono.error(new IllegalStateException("of the work")));
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.transactional(work).block());
		assertThat(this.manager.log).containsExactly("begin", "rollback");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void anErrorThatTheFunctionThrowsRollsBackAndReleasesTheLock() {
		NoClassDefFoundError failure = new NoClassDefFoundError("of the function");
		Mono<String> work = this.template.execute(this.world.now("x"), (lease) -> {
			throw failure;
		});
		assertThatThrownBy(() -> this.transaction.transactional(work).block()).isSameAs(failure);
		assertThat(this.manager.log).containsExactly("begin", "rollback");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void callbacksOnCompletionRunUnderTheLock() {
		List<Boolean> held = new ArrayList<>();
		this.transaction
			.transactional(keep("x", LossPolicy.THROW).then(TransactionSynchronizationManager.forCurrentTransaction())
				.doOnNext((current) -> current.registerSynchronization(new TransactionSynchronization() {
					@Override
					public Mono<Void> afterCompletion(int status) {
						held.add(ReactiveTransactionHoldTests.this.world.isHeld("x"));
						return locked("x", Mono.error(new IllegalStateException("of the callback"))).then();
					}
				})))
			.block();
		assertThat(held).containsExactly(true);
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void rollbackTakesTheTicketOfADetachedLeaseBack() {
		Mono<String> rolledBack = this.template.execute(this.world.now("x"),
				(lease) -> this.transaction.transactional(ReactiveCurrentLease.detach()
					.doOnNext((ticket) -> assertThat(lease.fence()).isPositive())
					.flatMap((ticket) -> Mono.<String>error(new IllegalStateException("of the work")))));
		assertThatIllegalStateException().isThrownBy(rolledBack::block).withMessage("of the work");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void commitLeavesADetachedLeaseToItsTicket() {
		this.template
			.execute(this.world.now("x"),
					(lease) -> this.transaction.transactional(ReactiveCurrentLease.detach())
						.doOnNext((ticket) -> assertThatIllegalStateException().isThrownBy(lease::fence)))
			.block();
		assertThat(this.world.isHeld("x")).isTrue();
	}

	@Test
	void leaseIsNotKeptWithoutATransaction() {
		assertThat(keep("x", LossPolicy.THROW).block()).isFalse();
	}

	@Test
	void lossBeforeTheCommitRollsBack() {
		Mono<Boolean> work = keep("x", LossPolicy.THROW)
			.doOnNext((kept) -> this.world.time.advance(LockWorld.TOO_LONG));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.transactional(work).block());
		assertThat(this.manager.log).containsExactly("begin", "rollback");
	}

	@Test
	void lossBeforeTheCommitOfATransactionThatBeginsAfterAnotherRollsItBack() {
		List<Throwable> failures = new ArrayList<>();
		Mono<Boolean> inner = this.another
			.transactional(keep("y", LossPolicy.THROW).doOnNext((kept) -> this.world.time.advance(LockWorld.TOO_LONG)))
			.doOnError(failures::add)
			// Spring continues on errors of callbacks.
			.onErrorStop();
		this.transaction.transactional(TransactionSynchronizationManager.forCurrentTransaction()
			.doOnNext((current) -> current.registerSynchronization(new TransactionSynchronization() {
				@Override
				public Mono<Void> afterCompletion(int status) {
					return inner.then();
				}
			}))
			.then(keep("x", LossPolicy.THROW))).block();
		assertThat(failures).singleElement(THROWABLE).isInstanceOf(LockLostException.class).hasMessageContaining("[y]");
		assertThat(this.manager.log).containsExactly("begin", "commit", "begin", "rollback");
	}

	@Test
	void lockOfWorkApartIsReleasedInsideOfTheTransactionAndCoversNothingUncommitted() {
		ReactiveRedLockTemplate apart = this.template.apartFromTransactions(true);
		Mono<String> work = apart.execute(this.world.now("y"), (lease) -> Mono.just("apart"))
			.doOnNext((value) -> assertThat(this.world.isHeld("y")).isFalse())
			.then(this.template.execute(this.world.now("x"), (lease) -> Mono.just("inside")))
			.doOnNext((value) -> assertThat(this.world.isHeld("x")).isTrue())
			.then(apart.execute(this.world.now("x"), (lease) -> Mono.just("must not run")));
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.transactional(work).block())
			.withMessageContaining("[x]");
	}

	@Test
	void newTransactionInsideKeepsWhatIsItsOwnAndSeesWhatIsNot() {
		Mono<Boolean> inner = keep("y", LossPolicy.THROW)
			.doOnNext((kept) -> assertThat(this.world.isHeld("y")).isTrue());
		this.transaction
			.transactional(keep("x", LossPolicy.THROW)
				.then(this.another.transactional(inner.then(ReactiveCurrentLease.allOfTransaction())))
				.doOnNext((leases) -> assertThat(leases).extracting(Lease::resources)
					.containsExactly(Set.of("y"), Set.of("x")))
				.doOnNext((leases) -> assertThat(this.world.isHeld("y")).isFalse())
				.then(ReactiveCurrentLease.allOfTransaction())
				.doOnNext((leases) -> assertThat(leases).extracting(Lease::resources).containsExactly(Set.of("x"))))
			.block();
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(ReactiveCurrentLease.allOfTransaction().block()).isEmpty();
	}

	@Test
	void noWorkReEntersWhatASuspendedTransactionKeeps() {
		Mono<String> work = this.template.execute(this.world.now("x"), (lease) -> Mono.just("work"));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.transaction.transactional(work.then(this.another.transactional(work))).block())
			.withMessageContaining("A new transaction cannot run under the lock on [x]");
		assertThat(this.transaction.transactional(work
			.then(this.another
				.transactional(this.template.execute(this.world.now("y"), (lease) -> Mono.just("does not need it"))))
			.then(work)).block()).isEqualTo("work");
	}

	@Test
	void norWhileTheWorkThatTookTheLockStillRuns() {
		Mono<String> inner = this.another
			.transactional(this.template.execute(this.world.now("x"), (lease) -> Mono.just("inner")));
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.transaction.transactional(this.template.execute(this.world.now("x"), (lease) -> inner))
						.block())
			.withMessageContaining("A new transaction cannot run under the lock on [x]");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.PROPAGATION_NOT_SUPPORTED })
	void norUnderTheLockAroundTheSuspendedTransaction(int propagation) {
		TransactionalOperator suspending = TransactionalOperator.create(this.nesting,
				new DefaultTransactionDefinition(propagation));
		Mono<String> inner = suspending
			.transactional(locked("y", Mono.just("other")).then(locked("x", Mono.just("inner"))));
		assertThatIllegalStateException().isThrownBy(() -> locked("x", this.outer.transactional(inner)).block())
			.withMessageContaining("A new transaction cannot run under the lock on [x]");
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void workUnderTheLockAroundItsTransactionReEntersEvenAfterAnotherTransaction() {
		Mono<String> work = locked("x", Mono.just("work"));
		Mono<String> other = this.inner.transactional(locked("y", Mono.just("other")));
		assertThat(locked("x",
				this.outer.transactional(
						work.then(this.outer.transactional(work)).then(other).then(this.outer.transactional(work))))
			.block()).isEqualTo("work");
		TransactionalOperator reading = TransactionalOperator.create(this.nesting, readOnly());
		assertThat(locked("x", reading.transactional(this.inner.transactional(work))).block()).isEqualTo("work");
		assertThat(locked("x", other.then(this.inner.transactional(work))).block()).isEqualTo("work");
	}

	/**
	 * The reactive transaction does not see the thread, which also blocks on drivers that
	 * answer on the same thread.
	 */
	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.PROPAGATION_NOT_SUPPORTED })
	void norUnderTheLockOfBlockingCodeAroundTheTransaction(int propagation) {
		TransactionalOperator second = TransactionalOperator.create(this.nesting,
				new DefaultTransactionDefinition(propagation));
		RedLockTemplate blocking = new RedLockTemplate(this.world.redlock, Runnable::run);
		assertThatIllegalStateException()
			.isThrownBy(() -> blocking.execute(this.world.now("x"),
					(lease) -> this.outer
						.transactional(Mono.defer(() -> second.transactional(locked("x", Mono.just("old value")))))
						.block()))
			.withMessage("The lock on [x] was taken by blocking code around this reactive transaction. If the "
					+ "transaction has suspended another one, it would not see uncommitted writes. Take the lock in the "
					+ "reactive flow, by ReactiveRedLockTemplate or by a @RedLock method that returns a publisher.");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void workUnderTheLockOfBlockingCodeTakesOtherLocksInItsTransaction() {
		RedLockTemplate blocking = new RedLockTemplate(this.world.redlock, Runnable::run);
		assertThat(blocking.<String>execute(this.world.now("x"),
				(lease) -> this.outer.transactional(locked("y", locked("y", Mono.just("work")))).block()))
			.isEqualTo("work");
	}

	@Test
	void aCancelledInnerTransactionLeavesTheLockOfTheOuterOneReEntrable() {
		Mono<String> never = this.inner.transactional(locked("y", Mono.<String>never()));
		assertThat(locked("x",
				this.outer.transactional(
						Mono.firstWithSignal(never, Mono.just("first")).then(locked("x", Mono.just("work")))))
			.block()).isEqualTo("work");
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void lossInsideOfATransactionRollsItBackSoNothingMayBeCommitted() {
		Mono<String> work = this.template.execute(this.world.now("x"),
				(lease) -> Mono.fromRunnable(() -> this.world.time.advance(LockWorld.TOO_LONG)));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.transactional(work).block())
			.isExactlyInstanceOf(LockLostException.class);
		assertThat(this.manager.log).containsExactly("begin", "rollback");
	}

	@Test
	void theLeasesOfATransactionAreThoseOfTheFlowAndThoseThatItKeeps() {
		this.transaction
			.transactional(keep("x", LossPolicy.THROW)
				.then(this.template.execute(this.world.now("y"), (lease) -> ReactiveCurrentLease.allOfTransaction()))
				.doOnNext((leases) -> assertThat(leases).extracting(Lease::resources)
					.containsExactly(Set.of("y"), Set.of("x"))))
			.block();
		assertThat(ReactiveCurrentLease.allOfTransaction().block()).isEmpty();
	}

	@Test
	void reactiveWorkInsideATransactionKeepsItsLockUntilTheCommitAndReEnters() {
		LockRequest request = this.world.now("x");
		this.transaction.transactional(this.template.execute(request, (lease) -> Mono.just(lease.fence()))
			.doOnNext((fence) -> assertThat(this.world.isHeld("x")).isTrue())
			.flatMap((fence) -> this.template.execute(request, (again) -> Mono.just(again.fence() - fence)))
			.doOnNext((difference) -> {
				assertThat(difference).isZero();
				assertThat(this.world.isHeld("x")).isTrue();
			})).block();
		assertThat(this.manager.log).containsExactly("begin", "commit");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aLeaseThatIsAcquiredInATransactionIsKeptUntilItsEndAndReEntered() {
		this.transaction.transactional(acquired("x").doOnNext((lease) -> {
			lease.close();
			assertThat(this.world.isHeld("x")).isTrue();
		})
			.flatMap((lease) -> this.template
				.execute(this.world.now("x"), (again) -> Mono.just(again.fence() - lease.fence()))
				.doOnNext((difference) -> assertThat(difference).isZero())
				.then(acquired("x"))
				.doOnNext((again) -> assertThat(again.fence()).isEqualTo(lease.fence()))
				.doOnNext(Lease::close)
				.doOnNext((again) -> assertThat(this.world.isHeld("x")).isTrue())))
			.block();
		assertThat(this.manager.log).containsExactly("begin", "commit");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void theLossOfALeaseThatATransactionAcquiredRollsItBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(
				() -> this.transaction.transactional(acquired("x").doOnNext(Lease::close).then(lost())).block());
		assertThat(this.manager.log).containsExactly("begin", "rollback");
	}

	@Test
	void noWorkReEntersALeaseThatASuspendedTransactionAcquired() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.transaction
				.transactional(acquired("x").doOnNext(Lease::close).then(this.another.transactional(acquired("x"))))
				.block())
			.withMessageContaining("A new transaction cannot run under the lock on [x]");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aLeaseOfATransactionWhoseSubscriberCancelsEndsWithTheTransaction() {
		Lease others = this.world.hold("x");
		Disposable waiting = this.transaction
			.transactional(this.template.acquire(LockRequest.of("x").withWaitFor(Duration.ofSeconds(5))))
			.subscribe();
		waiting.dispose();
		others.close();
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void lossOfWhatOuterWorkHoldsRollsBackTheTransactionOfInnerWorkThatAskedForIt() {
		Mono<String> sale = this.transaction
			.transactional(this.template.execute(this.world.now("x", "y"), (inner) -> Mono.just("sold"))
				.doOnNext((sold) -> this.world.redlock.revoke("x")));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(
				() -> this.template.execute(this.world.now("x").withOnLoss(LossPolicy.IGNORE), (outer) -> sale).block())
			.withMessageContaining("[x]");
		assertThat(this.manager.log).containsExactly("begin", "rollback");
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void reactiveWorkAroundATransactionReleasesAfterIt() {
		this.template
			.execute(this.world.now("x"),
					(lease) -> this.transaction.transactional(Mono.just("work"))
						.doOnNext((done) -> assertThat(this.manager.log).containsExactly("begin", "commit"))
						.doOnNext((done) -> assertThat(this.world.isHeld("x")).isTrue()))
			.block();
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void lossAfterAnInnerTransactionTellsThatItMayBeCommitted() {
		assertToldAfterCommit(this.transaction.transactional(locked("x", committed().then(lost()))));
		assertToldAfterCommit(
				this.transaction.transactional(locked("x", Mono.just("work")).then(committed()).then(lost())));
	}

	@Test
	void lossAtACallInsideOfTheWorkTellsThatTheWorkMayHaveCommitted() {
		assertToldAfterCommit(locked("x", committed().then(lost()).then(locked("x", Mono.just("next")))));
		assertToldAfterCommit(locked("x", committed().then(this.transaction.transactional(locked("y", lost())))));
	}

	private void assertToldAfterCommit(Mono<String> work) {
		this.manager.log.clear();
		assertThatExceptionOfType(LockLostAfterCommitException.class).isThrownBy(work::block);
	}

	private static DefaultTransactionDefinition readOnly() {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setReadOnly(true);
		return definition;
	}

	private Mono<Lease> acquired(String name) {
		return this.template.acquire(this.world.now(name));
	}

	private Mono<String> committed() {
		return this.another.transactional(Mono.just("inner"));
	}

	private Mono<String> lost() {
		return Mono.fromSupplier(() -> {
			this.world.time.advance(LockWorld.TOO_LONG);
			return "lost";
		});
	}

	private Mono<String> locked(String name, Mono<String> work) {
		return this.template.execute(this.world.now(name), (lease) -> work);
	}

	private Mono<Boolean> keep(String resource, LossPolicy policy) {
		return this.template.acquire(this.world.now(resource).withOnLoss(policy)).map((lease) -> {
			lease.close();
			return this.world.isHeld(resource);
		});
	}

	@SuppressWarnings("serial") // Serializable only by inheritance.
	private static final class Manager extends AbstractReactiveTransactionManager {

		private final transient List<String> log = new ArrayList<>();

		@Override
		protected Object doGetTransaction(TransactionSynchronizationManager current) {
			return "transaction";
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return this.log.contains("begin") && !this.log.contains("commit");
		}

		@Override
		protected Mono<Void> doBegin(TransactionSynchronizationManager current, Object transaction,
				TransactionDefinition definition) {
			return Mono.fromRunnable(() -> this.log.add("begin"));
		}

		@Override
		protected Mono<Object> doSuspend(TransactionSynchronizationManager current, Object transaction) {
			return Mono.just("suspended");
		}

		@Override
		protected Mono<Void> doResume(TransactionSynchronizationManager current, Object transaction, Object suspended) {
			return Mono.empty();
		}

		@Override
		protected Mono<Void> doCommit(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.log.add("commit"));
		}

		@Override
		protected Mono<Void> doRollback(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
			return Mono.fromRunnable(() -> this.log.add("rollback"));
		}

	}

}
