package dev.redlock.spring.interceptor;

import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.spring.CountedTransactions;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockAssert;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Losses of a lock after a transaction has committed inside of the work under it.
 */
class CommitUnderLockTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withBean(LockWorld.class, () -> this.world, (definition) -> definition.setDestroyMethodName(""))
		.withBean(CountedTransactions.class)
		.withBean(Shop.class);

	@ParameterizedTest
	@EnumSource
	void lossTellsOfTheCommit(Committed work) {
		this.runner.run((context) -> assertThatThrownBy(() -> work.body.run(context.getBean(Shop.class)))
			.isInstanceOf(LockLostAfterCommitException.class));
	}

	@ParameterizedTest
	@EnumSource
	void lossWithoutSuchACommitIsSafeToRetry(Uncommitted work) {
		this.runner.run((context) -> assertThatThrownBy(() -> work.body.run(context.getBean(Shop.class)))
			.isExactlyInstanceOf(LockLostException.class));
	}

	@Test
	void retryThatExcludesLossesAfterACommitCommitsOnce() {
		this.runner.withUserConfiguration(Retries.class).run((context) -> {
			assertThatThrownBy(() -> context.getBean(Shop.class).checkout())
				.isInstanceOf(LockLostAfterCommitException.class);
			assertThat(context.getBean(CountedTransactions.class).commits()).isOne();
		});
	}

	@Test
	void lossTellsOfACommitOfAManagerThatIsCreatedLazily() {
		LockedContexts.runner(this.world)
			.withBean("manager", PlatformTransactionManager.class, CountedTransactions::new,
					(definition) -> definition.setLazyInit(true))
			.run((context) -> {
				Shop shop = new Shop(this.world, context.getBean(PlatformTransactionManager.class));
				RedLockTemplate template = context.getBean(RedLockTemplate.class);
				LockRequest request = this.world.now("x");
				assertThatThrownBy(() -> template.execute(request, (lease) -> {
					shop.commit();
					shop.lose();
					return template.execute(request, (again) -> "next");
				})).isInstanceOf(LockLostAfterCommitException.class);
			});
	}

	@Test
	void lossTellsOnlyOfTheCommitsOfTheWorkUnderALentLease() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			LockRequest request = this.world.now("role");
			Lease lease = this.world.redlock.attemptAndWait(request).orThrow();
			RedLockTemplate leader = RedLockTemplate.borrowing(this.world.redlock, "role", (end) -> lease,
					Runnable::run);
			leader.execute(request, (earlier) -> {
				shop.commit();
				return null;
			});
			leader.execute(request.withOnLoss(LossPolicy.IGNORE), (committing) -> {
				shop.commit();
				leader.execute(request.withOnLoss(LossPolicy.IGNORE), (inner) -> {
					shop.lose();
					assertThatThrownBy(() -> leader.execute(request, (next) -> "next"))
						.isInstanceOf(LockLostAfterCommitException.class);
					return null;
				});
				return null;
			});
			assertThatThrownBy(() -> leader.execute(request, (later) -> "later"))
				.isExactlyInstanceOf(LockLostException.class);
		});
	}

	enum Committed {

		NEXT_CALL((shop) -> shop.lock("x", () -> {
			shop.commit();
			shop.lose();
			shop.lock("x", () -> {
			});
		})),

		ASSERTION((shop) -> shop.lock("x", () -> {
			shop.commit();
			shop.lose();
			RedLockAssert.assertLocked();
		})),

		CALL_UNDER_ANOTHER_LOCK((shop) -> shop.lock("x", () -> {
			shop.commit();
			shop.inTransaction(() -> shop.lock("y", shop::lose));
		})),

		INSIDE_OF_A_TRANSACTION((shop) -> shop.inTransaction(() -> shop.lock("x", () -> {
			shop.commit();
			shop.lose();
		}))),

		BEFORE_THE_OUTER_COMMIT((shop) -> shop.inTransaction(() -> {
			shop.lock("x", shop::commit);
			shop.lose();
		})),

		KEPT_WHILE_ANOTHER_COMMITS((shop) -> shop.inTransaction(() -> {
			shop.lock("x", () -> {
			});
			shop.commit();
			shop.lose();
		})),

		AFTER_THE_COMMIT((shop) -> shop.inTransaction(() -> shop.afterCommit(() -> shop.lock("x", shop::lose)))),

		AFTER_THE_COMMIT_UNDER_ITS_LOCK((shop) -> shop.inTransaction(() -> {
			shop.lock("x", () -> {
			});
			shop.afterCommit(() -> shop.lock("x", shop::lose));
		}));

		private final Body body;

		Committed(Body body) {
			this.body = body;
		}

	}

	enum Uncommitted {

		ROLLED_BACK((shop) -> shop.lock("x", () -> {
			shop.rollBack();
			shop.lose();
			shop.lock("x", () -> {
			});
		})),

		READ_ONLY((shop) -> shop.lock("x", () -> {
			shop.read();
			shop.lose();
			shop.lock("x", () -> {
			});
		})),

		IN_A_CALLBACK_AFTER_THE_LOCK_BEFORE_THE_COMMIT((shop) -> shop.inTransaction(() -> {
			shop.beforeCommit(() -> shop.lock("x", () -> {
			}));
			shop.beforeCommit(shop::lose);
		})),

		COMMITTED_UNDER_THE_LOCK_BEFORE((shop) -> {
			shop.lock("x", shop::commit);
			shop.inTransaction(() -> shop.lock("x", shop::lose));
		});

		private final Body body;

		Uncommitted(Body body) {
			this.body = body;
		}

	}

	@FunctionalInterface
	interface Body {

		void run(Shop shop);

	}

	static class Shop {

		private final LockWorld world;

		private final TransactionTemplate transaction;

		Shop(LockWorld world, PlatformTransactionManager transactions) {
			this.world = world;
			this.transaction = new TransactionTemplate(transactions);
		}

		@RedLock("#{#name}")
		public void lock(String name, Runnable work) {
			work.run();
		}

		@Retryable(includes = LockLostException.class, excludes = LockLostAfterCommitException.class, maxRetries = 1,
				delay = 0)
		@RedLock("order")
		public void checkout() {
			commit();
			lose();
			RedLockAssert.assertLocked("order");
		}

		public void inTransaction(Runnable work) {
			this.transaction.executeWithoutResult((status) -> work.run());
		}

		public void commit() {
			inTransaction(() -> {
			});
		}

		public void rollBack() {
			this.transaction.executeWithoutResult((status) -> status.setRollbackOnly());
		}

		public void read() {
			TransactionTemplate reading = new TransactionTemplate(this.transaction.getTransactionManager());
			reading.setReadOnly(true);
			reading.executeWithoutResult((status) -> {
			});
		}

		public void beforeCommit(Runnable work) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void beforeCommit(boolean readOnly) {
					work.run();
				}
			});
		}

		public void afterCommit(Runnable work) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					work.run();
				}
			});
		}

		public void lose() {
			this.world.time.advance(LockWorld.TOO_LONG);
		}

	}

	@EnableResilientMethods
	static class Retries {

	}

}
