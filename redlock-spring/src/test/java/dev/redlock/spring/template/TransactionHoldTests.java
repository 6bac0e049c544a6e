package dev.redlock.spring.template;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.ReleaseResult;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.LockNode;
import dev.redlock.spring.lock.RedlockLock;
import dev.redlock.spring.lock.RedlockLocks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

@ExtendWith(OutputCaptureExtension.class)
class TransactionHoldTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private EmbeddedDatabase database;

	private JdbcClient jdbc;

	private TransactionTemplate transaction;

	@BeforeEach
	void createDatabase() {
		this.database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		this.jdbc = JdbcClient.create(this.database);
		this.jdbc.sql("create table sold (sku varchar(10))").update();
		this.transaction = new TransactionTemplate(new DataSourceTransactionManager(this.database));
	}

	@AfterEach
	void shutDownDatabase() {
		this.database.shutdown();
	}

	@Test
	void workInsideOfATransactionKeepsItsLockUntilTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			assertThat(this.world.isHeld("x")).isTrue();
			assertThat(CurrentLease.get()).isEmpty();
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(sold()).isOne();
	}

	@Test
	void theLeasesOfATransactionAreThoseOfItsWorkAndThoseThatItKeeps() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(TransactionLeases.all()).isEmpty();
			long kept = this.template.execute(this.world.now("x"), Lease::fence);
			this.template.execute(this.world.now("y"), (lease) -> {
				assertThat(TransactionLeases.all()).extracting(Lease::resources)
					.containsExactly(Set.of("y"), Set.of("x"));
				return null;
			});
			assertThat(TransactionLeases.forResource("x")).map(Lease::fence).hasValue(kept);
			assertThat(TransactionLeases.forResource("z")).isEmpty();
		});
		assertThat(TransactionLeases.all()).isEmpty();
	}

	@Test
	void workInsideOfATransactionKeepsItsLockUntilTheRollback() {
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			status.setRollbackOnly();
			assertThat(this.world.isHeld("x")).isTrue();
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(sold()).isZero();
	}

	@Test
	void workThatFailsInsideOfATransactionKeepsItsLockToo() {
		this.transaction.executeWithoutResult((status) -> {
			assertThatIllegalStateException().isThrownBy(() -> this.template.execute(this.world.now("x"), (lease) -> {
				throw new IllegalStateException("of the work");
			}));
			assertThat(this.world.isHeld("x")).isTrue();
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void transactionInsideOfTheWorkEndsBeforeTheLock() {
		this.template.execute(this.world.now("x"), (lease) -> {
			this.transaction.executeWithoutResult((status) -> sell("x"));
			assertThat(this.world.isHeld("x")).isTrue();
			return null;
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void laterWorkOfTheSameTransactionReEntersWhatItKeeps() {
		this.transaction.executeWithoutResult((status) -> {
			long fence = this.template.execute(this.world.now("x"), Lease::fence);
			this.template.execute(this.world.now("x", "y"), (lease) -> {
				assertThat(CurrentLease.forResource("y")).isPresent();
				return null;
			});
			this.template.execute(this.world.now("x"), (lease) -> {
				assertThat(lease.fence()).isEqualTo(fence);
				assertThat(CurrentLease.require().fence()).isEqualTo(fence);
				return null;
			});
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void newTransactionInsideKeepsWhatIsItsOwn() {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			another.executeWithoutResult((inner) -> {
				sell("y");
				assertThat(this.world.isHeld("y")).isTrue();
			});
			assertThat(this.world.isHeld("y")).isFalse();
			assertThat(this.world.isHeld("x")).isTrue();
			sell("x");
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(sold()).isEqualTo(3);
	}

	@Test
	void newTransactionInsideReEntersWhatATransactionThatOnlyReadsKeeps() {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(this.world.now("x"), (lease) -> null);
			another.executeWithoutResult((inner) -> sell("x"));
			assertThat(this.world.isHeld("x")).isTrue();
		});
		assertThat(sold()).isOne();
	}

	@Test
	void workOutsideOfTheSuspendedTransactionReleasesAtOnce() {
		TransactionTemplate without = propagation(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			without.executeWithoutResult((none) -> {
				sell("y");
				assertThat(this.world.isHeld("y")).isFalse();
			});
			assertThat(this.world.isHeld("x")).isTrue();
		});
	}

	@Test
	void workBetweenTransactionsReleasesAtOnce() {
		this.transaction.executeWithoutResult((status) -> sell("x"));
		sell("x");
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@ParameterizedTest
	@EnumSource(names = { "THROW", "INTERRUPT" })
	void lossBetweenTheWorkAndTheCommitRollsBack(LossPolicy onLoss) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> loseBeforeCommit(onLoss))
			.isNotInstanceOf(LockLostAfterCommitException.class)
			.withMessageContaining("[x]");
		assertThat(sold()).isZero();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void lossInsideOfATransactionRollsItBackSoNothingMayBeCommitted() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> sellTooSlowly()))
			.isExactlyInstanceOf(LockLostException.class);
		assertThat(sold()).isZero();
	}

	@Test
	void lossThatRollsBackInsideOfTheLockLeavesNothingCommitted() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.execute(this.world.now("x"), (lease) -> {
				this.transaction.executeWithoutResult((status) -> sellTooSlowly());
				return null;
			}))
			.isExactlyInstanceOf(LockLostException.class);
		assertThat(sold()).isZero();
	}

	@Test
	void lossAfterATransactionHasRolledBackForAnotherReasonSaysNothingOfACommit() {
		assertThatIllegalStateException().isThrownBy(() -> this.template.execute(this.world.now("x"),
				(lease) -> this.transaction.<Integer>execute((status) -> {
					insert();
					this.world.time.advance(LockWorld.TOO_LONG);
					throw new IllegalStateException("of the work");
				})))
			.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement(THROWABLE)
				.isExactlyInstanceOf(LockLostException.class));
		assertThat(sold()).isZero();
	}

	@Test
	void lossThatIsToBeIgnoredDoesNotKeepTheTransactionFromCommitting() {
		loseBeforeCommit(LossPolicy.IGNORE);
		assertThat(sold()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void lossThatIsToBeIgnoredIsLoggedOnce(Loss loss, CapturedOutput output) {
		LockRequest request = this.world.now("x").withOnLoss(LossPolicy.IGNORE);
		TransactionLeases.observe((ConfigurableTransactionManager) this.transaction.getTransactionManager());
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(request,
					(outer) -> this.template.execute(request, (inner) -> loseIf(loss == Loss.IN_THE_WORK)));
			loseIf(loss == Loss.BEFORE_THE_COMMIT);
			afterCompletion(() -> loseIf(loss == Loss.AFTER_THE_COMMIT));
		});
		assertThat(output).containsOnlyOnce("Ignored as asked");
	}

	@Test
	void lossOfWhatTheTransactionKeepsKeepsLaterWorkFromStarting() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				sell("x");
				this.world.time.advance(LockWorld.TOO_LONG);
				sell("x");
			}));
		assertThat(sold()).isZero();
	}

	@Test
	void noNewTransactionRunsUnderTheLockOfOneThatIsAboutToCommit() {
		TransactionLeases.observe((ConfigurableTransactionManager) this.transaction.getTransactionManager());
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<Throwable> refused = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void beforeCompletion() {
					refused.add(catchThrowable(() -> another.executeWithoutResult((inner) -> sell("x"))));
				}
			});
		});
		assertThat(refused).singleElement()
			.asInstanceOf(THROWABLE)
			.hasMessageContaining("A new transaction cannot run under the lock on [x]");
		assertThat(sold()).isOne();
	}

	@Test
	void lockIsReleasedAfterAllThatOthersDoOnCompletion() {
		List<Boolean> held = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					held.add(TransactionHoldTests.this.world.isHeld("x"));
				}
			});
			sell("x");
		});
		assertThat(held).containsExactly(true);
	}

	@Test
	void lockIsAlsoReleasedAfterWhatTheWorkItselfDoesOnCompletion() {
		List<Boolean> held = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(this.world.now("x"), (lease) -> {
				afterCompletion(() -> held.add(lease.isValid() && this.world.isHeld("x")));
				return null;
			});
			status.setRollbackOnly();
		});
		this.transaction.executeWithoutResult((status) -> this.template.execute(this.world.now("x"), (lease) -> {
			afterCompletion(() -> held.add(lease.isValid() && this.world.isHeld("x")));
			return null;
		}));
		assertThat(held).containsExactly(true, true);
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void workAfterTheCommitIsStillReleased() {
		this.transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						TransactionHoldTests.this.template.execute(TransactionHoldTests.this.world.now("x"),
								(lease) -> null);
					}

					@Override
					public void afterCompletion(int status) {
						TransactionHoldTests.this.template.execute(TransactionHoldTests.this.world.now("y"),
								(lease) -> null);
					}
				}));
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void workBeforeTheCommitKeepsItsLockUntilTheCommitAndALossInItRollsBack() {
		List<Boolean> held = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			beforeCommit(() -> sell("x"));
			afterCompletion(() -> held.add(this.world.isHeld("x")));
		});
		assertThat(held).containsExactly(true);
		assertThat(this.world.isHeld("x")).isFalse();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> beforeCommit(this::sellTooSlowly)));
		assertThat(sold()).isOne();
	}

	@Test
	void lossBeforeTheCommitOfATransactionThatBeginsAfterAnotherRollsItBack() {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		List<Throwable> failures = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			afterCompletion(() -> failures.add(catchThrowable(() -> another.executeWithoutResult((inner) -> {
				sell("y");
				this.world.time.advance(LockWorld.TOO_LONG);
			}))));
			sell("x");
		});
		assertThat(failures).singleElement(THROWABLE).isInstanceOf(LockLostException.class).hasMessageContaining("[y]");
		assertThat(sold()).as("what the first transaction sold").isOne();
		assertThat(TransactionLeases.all()).isEmpty();
	}

	@Test
	void leaseThatTheWorkClosesItselfIsNotKept() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(this.world.now("x"), (lease) -> {
				lease.close();
				return null;
			});
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void innerWorkKeepsTheLockOfATransactionThatAnotherThreadCompletes() {
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			this.template.execute(this.world.now("x"), (inner) -> {
				completeInAnotherThread();
				assertThat(this.world.isHeld("x")).isTrue();
				return null;
			});
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void transactionThatAnotherThreadHasCompletedDoesNotStandInTheWayOfTheNextOne() {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		this.template.execute(this.world.now("x"), (lease) -> null);
		completeInAnotherThread();
		TransactionSynchronizationManager.clear();
		assertThat(this.world.isHeld("x")).isFalse();
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			assertThat(this.world.isHeld("x")).isTrue();
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aTransactionThatAnotherThreadCompletesWhileItIsSuspendedLeavesTheLockUsable() {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.template.execute(this.world.now("x"), (outer) -> {
			this.transaction.executeWithoutResult((status) -> {
				sell("x");
				List<TransactionSynchronization> suspended = TransactionSynchronizationManager.getSynchronizations();
				another.executeWithoutResult((inner) -> completeInAnotherThread(suspended));
			});
			sell("x");
			return null;
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aNewTransactionAfterTheCommitReEntersTheLockOfATransactionThatIsNotObserved() {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					another.executeWithoutResult((inner) -> sell("x"));
				}
			});
			sell("x");
		});
		assertThat(sold()).isEqualTo(2);
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void innerWorkThatDoesNotGetWhatIsMissingLeavesTheRestToTheTransaction() {
		Lease others = this.world.other.attemptAndWait(this.world.now("y")).orThrow();
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.execute(this.world.now("x", "y"), (inner) -> "must not run"));
			assertThat(this.world.isHeld("x")).isTrue();
		});
		assertThat(this.world.isHeld("x")).isFalse();
		others.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "x y" })
	void lossOfWhatOuterWorkHoldsRollsBackTheTransactionOfInnerWorkThatAskedForIt(String names) {
		this.template.execute(this.world.now("x").withOnLoss(LossPolicy.IGNORE), (outer) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
					this.template.execute(this.world.now(names.split(" ")), (inner) -> insert());
					this.world.redlock.revoke("x");
				}))
				.withMessageContaining("[x]");
			return null;
		});
		assertThat(sold()).isZero();
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void checkAtTheEndOfAMethodRollsBackWhenWhatOuterWorkHoldsIsLost() {
		this.template.execute(this.world.now("x").withOnLoss(LossPolicy.IGNORE),
				(outer) -> this.template.execute(this.world.now("x", "y").withOnLoss(LossPolicy.IGNORE), (inner) -> {
					assertThatExceptionOfType(LockLostException.class)
						.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
							insert();
							this.world.redlock.revoke("x");
							RedLockAssert.assertLocked();
						}));
					return null;
				}));
		assertThat(sold()).isZero();
	}

	@Test
	void stricterPolicyOfTwoCallsInOneTransactionCounts() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.template.execute(this.world.now("x").withOnLoss(LossPolicy.IGNORE), (lease) -> insert());
				sell("x");
				this.template.execute(this.world.now("x").withOnLoss(LossPolicy.IGNORE), (lease) -> insert());
				this.world.redlock.revoke("x");
			}));
		assertThat(sold()).isZero();
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseThatIsAcquiredInATransactionIsKeptUntilItsEnd(Acquiring way) {
		for (boolean rollsBack : new boolean[] { false, true }) {
			this.transaction.executeWithoutResult((status) -> {
				try (Lease lease = way.acquire(this.template, this.world.now("x"))) {
					assertThat(lease.fence()).isPositive();
					insert();
				}
				assertThat(this.world.isHeld("x")).isTrue();
				if (rollsBack) {
					status.setRollbackOnly();
				}
			});
			assertThat(this.world.isHeld("x")).isFalse();
		}
		assertThat(sold()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void laterCallsOfATransactionReEnterALeaseThatItAcquired(Acquiring way) {
		this.transaction.executeWithoutResult((status) -> {
			Lease first = way.acquire(this.template, this.world.now("x"));
			assertThat(this.template.<Long>execute(this.world.now("x"), Lease::fence)).isEqualTo(first.fence());
			first.close();
			Lease second = way.acquire(this.template, this.world.now("x", "y"));
			assertThat(second.fence("x")).isEqualTo(first.fence());
			second.close();
			second.close();
			assertThat(this.template.<Long>execute(this.world.now("x"), Lease::fence)).isEqualTo(first.fence());
			assertThat(this.world.isHeld("x")).isTrue();
			assertThat(this.world.isHeld("y")).isTrue();
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseThatOutlivesItsTransactionEndsWhenItIsClosed(Acquiring way) {
		List<Lease> leases = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			leases.add(way.acquire(this.template, this.world.now("x")));
			leases.add(way.acquire(this.template, this.world.now("x")));
		});
		assertThat(this.world.isHeld("x")).isTrue();
		leases.get(0).close();
		assertThat(this.world.isHeld("x")).isTrue();
		assertThat(leases.get(1).releaseAsync()).isCompletedWithValueMatching(ReleaseResult::wasValid);
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void theLossOfALeaseThatATransactionAcquiredRollsItBack(Acquiring way) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				way.acquire(this.template, this.world.now("x")).close();
				insert();
				this.world.time.advance(LockWorld.TOO_LONG);
			}))
			.withMessageContaining("[x]");
		assertThat(sold()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aNewTransactionReEntersNoLeaseThatTheSuspendedOneAcquired(Acquiring way) {
		TransactionTemplate another = propagation(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((status) -> {
			way.acquire(this.template, this.world.now("x")).close();
			another.executeWithoutResult((inner) -> {
				assertThatIllegalStateException().isThrownBy(() -> way.acquire(this.template, this.world.now("x")))
					.withMessageContaining("[x]");
				way.acquire(this.template, this.world.now("y")).close();
				assertThat(this.world.isHeld("y")).isTrue();
			});
			assertThat(this.world.isHeld("y")).isFalse();
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseThatWasAcquiredBeforeTheTransactionEndsWhenItIsClosed(Acquiring way) {
		Lease before = way.acquire(this.template, this.world.now("x"));
		this.transaction.executeWithoutResult((status) -> {
			before.close();
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aLeaseThatIsAcquiredApartFromTheTransactionEndsWhenItIsClosed(Acquiring way) {
		this.transaction.executeWithoutResult((status) -> {
			way.acquire(RedLockTemplate.apartFromTransactions(this.template, false), this.world.now("x")).close();
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void anAssertionFindsALockThatTheTransactionKeeps() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				sell("x");
				sell("y");
				RedLockAssert.assertLocked();
				RedLockAssert.assertLocked("x", "y");
				assertThatIllegalStateException().isThrownBy(() -> RedLockAssert.assertLocked("z"));
				this.world.redlock.revoke("x");
				RedLockAssert.assertLocked("y");
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> RedLockAssert.assertLocked("x"));
				assertThatExceptionOfType(LockLostException.class).isThrownBy(RedLockAssert::assertLocked);
			}));
		assertThat(sold()).isZero();
		assertThatIllegalStateException().isThrownBy(RedLockAssert::assertLocked);
	}

	@Test
	void aReactiveCallAcquiresNoLeaseThatATransactionOfItsThreadKeeps() {
		ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.world.redlock, Schedulers.immediate());
		this.transaction.executeWithoutResult((status) -> {
			sell("x");
			assertThatIllegalStateException().isThrownBy(() -> reactive.acquire(this.world.now("x")).block())
				.withMessageContaining("has not committed what it wrote under the lock on [x]");
			reactive.acquire(this.world.now("y")).block().close();
		});
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(this.world.isHeld("y")).isFalse();
	}

	@Test
	void aLockOfTheJdkDoesNotEndWithTheTransaction() {
		RedlockLock lock = new RedlockLocks(this.template, RedlockSettings.DEFAULTS).get("x");
		this.transaction.executeWithoutResult((status) -> {
			lock.lock();
			lock.unlock();
			assertThat(this.world.isHeld("x")).isFalse();
			lock.lock();
		});
		assertThat(this.world.isHeld("x")).isTrue();
		lock.unlock();
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	@Timeout(20)
	void allLocksOfATransactionAreReleasedBeforeTheFirstReleaseIsAwaited() {
		int locks = 10;
		try (RealTime time = new RealTime()) {
			InMemoryNode node = new InMemoryNode("a", time);
			Redlock redlock = Redlock.over(List.of(answeringReleasesTogether(locks, node)))
				.settings(RedlockSettings.builder().awaitRelease(true).nodeTimeout(Duration.ofSeconds(5)).build())
				.ticker(time)
				.loop(time)
				.callbacks(Runnable::run)
				.build();
			RedLockTemplate awaiting = new RedLockTemplate(redlock, Runnable::run);
			this.transaction.executeWithoutResult((status) -> {
				for (int i = 0; i < locks; i++) {
					awaiting.execute(this.world.now("x" + i), (lease) -> null);
				}
			});
			assertThat(node.tokens()).isEmpty();
		}
	}

	private static LockNode answeringReleasesTogether(int count, LockNode node) {
		List<CompletableFuture<Object>> asked = new ArrayList<>();
		return (LockNode) Proxy.newProxyInstance(LockNode.class.getClassLoader(), new Class<?>[] { LockNode.class },
				(proxy, method, arguments) -> {
					Object answer = method.invoke(node, arguments);
					if (!method.getName().equals("release")) {
						return answer;
					}
					CompletableFuture<Object> held = new CompletableFuture<>();
					asked.add(held);
					if (asked.size() == count) {
						asked.forEach(
								(each) -> each.complete(((CompletionStage<?>) answer).toCompletableFuture().join()));
					}
					return held;
				});
	}

	/**
	 * Does what a JTA transaction manager does after a timeout.
	 */
	private static void completeInAnotherThread() {
		completeInAnotherThread(TransactionSynchronizationManager.getSynchronizations());
	}

	private static void completeInAnotherThread(List<TransactionSynchronization> synchronizations) {
		CompletableFuture
			.runAsync(() -> TransactionSynchronizationUtils.invokeAfterCompletion(synchronizations,
					TransactionSynchronization.STATUS_ROLLED_BACK))
			.join();
	}

	private static void afterCompletion(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				action.run();
			}
		});
	}

	private static void beforeCommit(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void beforeCommit(boolean readOnly) {
				action.run();
			}
		});
	}

	private void loseBeforeCommit(LossPolicy onLoss) {
		LockRequest request = this.world.now("x").withTtl(Duration.ofSeconds(10)).withOnLoss(onLoss);
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(request, (lease) -> insert());
			this.world.time.advance(Duration.ofSeconds(11));
		});
	}

	private boolean loseIf(boolean now) {
		if (now) {
			this.world.time.advance(LockWorld.TOO_LONG);
		}
		return now;
	}

	private void sell(String resource) {
		this.template.execute(this.world.now(resource), (lease) -> insert());
	}

	private void sellTooSlowly() {
		this.template.execute(this.world.now("x"), (lease) -> {
			insert();
			this.world.time.advance(LockWorld.TOO_LONG);
			return null;
		});
	}

	private int insert() {
		return this.jdbc.sql("insert into sold values ('42')").update();
	}

	private int sold() {
		return this.jdbc.sql("select count(*) from sold").query(Integer.class).single();
	}

	private TransactionTemplate propagation(int behavior) {
		TransactionTemplate other = new TransactionTemplate(this.transaction.getTransactionManager());
		other.setPropagationBehavior(behavior);
		return other;
	}

	private enum Acquiring {

		ACQUIRE, TRY_ACQUIRE;

		Lease acquire(RedLockOperations operations, LockRequest request) {
			return (this == ACQUIRE) ? operations.acquire(request) : operations.tryAcquire(request).orElseThrow();
		}

	}

	private enum Loss {

		IN_THE_WORK, BEFORE_THE_COMMIT, AFTER_THE_COMMIT

	}

}
