package dev.redlock.spring.template;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.spring.CountedTransactions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Leases that a locked call detaches, and calls that carry them on.
 */
@Timeout(60)
class DetachedLeaseTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private final RedLockTemplate worker = new RedLockTemplate(this.world.other, Runnable::run);

	private final ReactiveRedLockTemplate reactiveWorker = new ReactiveRedLockTemplate(this.world.other,
			Schedulers.immediate());

	private final TransactionTemplate transaction = new TransactionTemplate(new CountedTransactions());

	@ParameterizedTest
	@EnumSource
	void theCallReturnsAndTheLockStaysForThroughEachDoor(Door door) {
		String ticket = this.template.execute(this.world.now("x"), (lease) -> CurrentLease.require().detach());
		assertThat(this.world.isHeld("x")).isTrue();
		long fence = door.succeed(this, ticket);
		assertThat(this.world.isHeld("x")).isFalse();
		assertThat(fence).isPositive();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> door.succeed(this, ticket))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.TICKET_EXPIRED))
			.withMessageNotContaining(ticket);
	}

	@Test
	void withoutATransactionTheFenceIsRefusedAtOnce() {
		this.template.execute(this.world.now("x"), (lease) -> {
			lease.detach();
			assertThat(lease.isValid()).isFalse();
			assertThatIllegalStateException().isThrownBy(() -> CurrentLease.require("x").fence())
				.withMessageContaining("was detached");
			return null;
		});
	}

	@Test
	void untilTheTransactionOfTheCallHasEndedItsGuardsAcceptTheFence() {
		this.template.execute(this.world.now("x"), (lease) -> {
			long fence = lease.fence();
			AtomicReference<Long> atCommit = new AtomicReference<>();
			this.transaction.executeWithoutResult((status) -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void beforeCommit(boolean readOnly) {
						atCommit.set(TransactionLeases.forResource("x").orElseThrow().fence());
					}
				});
				lease.detach();
				assertThat(CurrentLease.require("x").fence()).isEqualTo(fence);
			});
			assertThat(atCommit.get()).isEqualTo(fence);
			assertThatIllegalStateException().isThrownBy(() -> CurrentLease.require("x").fence())
				.withMessageContaining("was detached");
			return null;
		});
		assertThat(this.world.isHeld("x")).isTrue();
	}

	@Test
	void aRollbackTakesTheTicketBackAndReleasesTheLock() {
		AtomicReference<String> ticket = new AtomicReference<>();
		this.template.execute(this.world.now("x"), (lease) -> {
			this.transaction.executeWithoutResult((status) -> {
				ticket.set(lease.detach());
				status.setRollbackOnly();
			});
			assertThat(this.world.isHeld("x")).isFalse();
			return null;
		});
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.worker.acquire(LockRequest.succeeding(ticket.get())))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.TICKET_EXPIRED));
	}

	@Test
	void aTransactionThatOutlivesTheDetachedLeaseIsRolledBack() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.template.execute(this.world.now("x"), (lease) -> {
				this.transaction.executeWithoutResult((status) -> {
					lease.detach();
					this.world.time.advance(LockWorld.TOO_LONG);
					assertThatIllegalStateException().isThrownBy(lease::fence);
				});
				return null;
			}));
	}

	@Test
	void aDetachedLeaseThatExpiresUnderTheRestOfTheCallIsNoLoss() {
		String result = this.template.execute(this.world.now("x").withOnLoss(LossPolicy.INTERRUPT), (lease) -> {
			this.transaction.executeWithoutResult((status) -> lease.detach());
			this.world.time.advance(LockWorld.TOO_LONG);
			return "done " + Thread.currentThread().isInterrupted();
		});
		assertThat(result).isEqualTo("done false");
	}

	@Test
	void aDetachedLeaseHasNoLocalSuccessor() {
		this.template.execute(this.world.now("x"), (lease) -> {
			String ticket = lease.detach();
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.execute(this.world.now("x"), (inner) -> null))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.HELD));
			this.template.execute(LockRequest.succeeding(ticket), (successor) -> {
				assertThat(CurrentLease.require("x").fence()).isEqualTo(successor.fence());
				return null;
			});
			return null;
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aTicketIsNotMistakenForTheLeaseOfTheCallAroundIt() {
		String ticket = this.template.execute(this.world.now("x"), Lease::detach);
		this.world.time.advance(LockWorld.TOO_LONG);
		this.worker.execute(this.world.now("x"), (lease) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.worker.acquire(LockRequest.succeeding(ticket)))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.HELD));
			return null;
		});
	}

	@Test
	void aNestedLeaseIsNotDetachedNorOneWithANestedCallThatRuns() {
		this.template.execute(this.world.now("x"), (outer) -> {
			this.template.execute(LockRequest.of("x", "y"), (nested) -> {
				refused(nested, "an outer call or transaction needs it");
				refused(CurrentLease.require("x"), "an outer call or transaction needs it");
				refused(outer, "a nested call under it has not ended");
				return null;
			});
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> nested = this.template.executeAsync(this.world.now("x"), (lease) -> work);
			refused(outer, "a nested call under it has not ended");
			work.complete("done");
			assertThat(nested).isCompleted();
			outer.detach();
			return null;
		});
		assertThat(this.world.isHeld("x")).isTrue();
	}

	@Test
	void inAnOuterTransactionThatKeepsTheLeaseItIsNotDetached() {
		this.transaction.executeWithoutResult((status) -> this.template.execute(this.world.now("x"), (lease) -> {
			refused(lease, "an outer call or transaction needs it");
			return null;
		}));
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(this.world.now("x"), (lease) -> null);
			refused(TransactionLeases.forResource("x").orElseThrow(), "an outer transaction keeps it");
			refused(this.template.acquire(this.world.now("y")), "an outer call or transaction needs it");
			refused(TransactionLeases.forResource("y").orElseThrow(), "an outer transaction keeps it");
		});
		assertThat(this.world.isHeld("x")).isFalse();
	}

	@Test
	void aLentLeaseIsNotDetached() {
		Lease owned = this.world.redlock.attempt(this.world.now("x")).toCompletableFuture().join().orThrow();
		RedLockTemplate.borrowing(this.world.redlock, "x", (end) -> owned, Runnable::run)
			.execute(this.world.now("x"), (lent) -> {
				refused(lent, "an outer call or transaction needs it");
				return null;
			});
		assertThat(owned.isValid()).isTrue();
	}

	@Test
	void aNestedCallThatTheTransactionKeepsIsNoObstacleAfterItsEnd() {
		this.template.execute(this.world.now("x"), (outer) -> {
			this.transaction.executeWithoutResult((status) -> {
				this.template.execute(this.world.now("x"), (nested) -> null);
				outer.detach();
			});
			return null;
		});
		assertThat(this.world.isHeld("x")).isTrue();
	}

	@Test
	void detachExtendsFirst() {
		Duration longest = this.world.redlock.settings().maxTtl();
		Lease lease = this.template.acquire(this.world.now("x").withTtl(longest.dividedBy(3)));
		String ticket = lease.detach(longest);
		this.world.time.advance(longest.dividedBy(2));
		assertThat(this.worker.execute(LockRequest.succeeding(ticket), Lease::isValid)).isTrue();
	}

	@Test
	void aLeaseThatCouldNotBeExtendedIsNotDetached() {
		Lease lease = this.template.acquire(this.world.now("x"));
		this.world.loseQuorum();
		assertThatIllegalStateException().isThrownBy(() -> lease.detach(Duration.ofSeconds(30)))
			.withMessageContaining("too few nodes");
		assertThat(lease.isValid()).isTrue();
	}

	@Test
	void inAReactiveFlowALeaseIsDetachedToo() {
		ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.world.redlock, Schedulers.immediate());
		String ticket = reactive.execute(this.world.now("x"), (lease) -> ReactiveCurrentLease.detach()).block();
		assertThat(this.world.isHeld("x")).isTrue();
		assertThat(Door.REACTIVE.succeed(this, ticket)).isPositive();
	}

	@Test
	void whileLocksAreTurnedOffTicketsSucceed() {
		RedLockTemplate off = RedLockTemplate.withoutLocksOn(Runnable::run);
		String ticket = off.execute(LockRequest.of("x", "y"), Lease::detach);
		assertThat(off.execute(LockRequest.succeeding(ticket), Lease::resources)).containsExactly("x", "y");
		String real = this.template.execute(this.world.now("x"), Lease::detach);
		assertThat(off.execute(LockRequest.succeeding(real), Lease::resources)).containsExactly("x");
		assertThatExceptionOfType(LockNotAcquiredException.class).as("a process with locks")
			.isThrownBy(() -> this.worker.acquire(LockRequest.succeeding(ticket)));
	}

	private static void refused(Lease lease, String reason) {
		assertThatIllegalStateException().isThrownBy(lease::detach).withMessageContaining(reason);
	}

	enum Door {

		EXECUTE {
			@Override
			long succeed(DetachedLeaseTests test, String ticket) {
				return test.worker.execute(LockRequest.succeeding(ticket), Lease::fence);
			}
		},
		ACQUIRE {
			@Override
			long succeed(DetachedLeaseTests test, String ticket) {
				try (Lease lease = test.worker.acquire(LockRequest.succeeding(ticket))) {
					return lease.fence();
				}
			}
		},
		ASYNCHRONOUS {
			@Override
			long succeed(DetachedLeaseTests test, String ticket) {
				return joined(test.worker.executeAsync(LockRequest.succeeding(ticket),
						(lease) -> CompletableFuture.completedFuture(lease.fence())));
			}
		},
		REACTIVE {
			@Override
			long succeed(DetachedLeaseTests test, String ticket) {
				return test.reactiveWorker
					.execute(LockRequest.succeeding(ticket), (lease) -> Mono.fromSupplier(lease::fence))
					.block();
			}
		};

		abstract long succeed(DetachedLeaseTests test, String ticket);

		private static long joined(CompletableFuture<Long> future) {
			try {
				return future.join();
			}
			catch (java.util.concurrent.CompletionException ex) {
				throw (RuntimeException) ex.getCause();
			}
		}

	}

}
