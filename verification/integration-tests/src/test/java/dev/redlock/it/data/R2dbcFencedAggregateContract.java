package dev.redlock.it.data;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.CurrentLease;
import dev.redlock.LockRequest;
import dev.redlock.it.jpa.LockInMemory;
import dev.redlock.spring.fencing.R2dbcFenceGuard;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.dao.EmptyResultDataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The guard that is the reactive twin of {@code JdbcFenceGuard}, and what Spring Data
 * R2DBC does not tell of.
 */
abstract class R2dbcFencedAggregateContract extends FencedAggregateContract<R2dbcStore> {

	@Override
	R2dbcStore connect(String url) {
		return new R2dbcStore(url);
	}

	@Test
	void aLoadClaimsNothing() {
		load(lease(7));
		assertThat(fence()).isZero();
	}

	@Test
	void aRepositoryBringsNoTransactionSoItsSaveIsRefusedOutsideOfOne() {
		Invoice read = load(null);
		read.total = 3;
		assertThatIllegalStateException().isThrownBy(() -> R2dbcStore.under(lease(7), this.store.invoices().save(read)))
			.withMessageContaining("only in a transaction");
		this.store.inTransaction(lease(7), this.store.invoices().save(read));
		assertThat(total()).isEqualTo(3);
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void aDeleteGoesAroundTheFenceUnlessTheGuardClaimsFirst() {
		add(lease(9));
		Invoice read = load(null);
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> this.store.inTransaction(lease(7),
				guard().claim(this.id, 7).then(this.store.template().delete(read))));
		assertThat(total()).isOne();
		this.store.inTransaction(lease(7), this.store.template().delete(read));
		assertThat(this.jdbc.queryForList("select id from invoice where id = ?", this.id)).isEmpty();
	}

	@Test
	void theGuardRefusesAFormerHolderOnceALaterOneHasClaimed() {
		guard().claim(this.id, 7).block();
		guard().claim(this.id, 9).block();
		guard().claim(this.id, 9).block();
		assertThatExceptionOfType(StaleFenceException.class).isThrownBy(() -> guard().claim(this.id, 7).block())
			.withMessageContaining(
					"The row '" + this.id + "' of invoice refused the fence 7, because it has seen the newer fence 9");
		assertThat(fence()).isEqualTo(9);
	}

	@Test
	void theGuardClaimsWithTheFenceOfTheNamedLock() {
		R2dbcStore.under(lease(7), guard().claim(this.id, this.lock));
		assertThat(fence()).isEqualTo(7);
		CurrentLease scope = CurrentLease.open(lease(8));
		try {
			guard().claim(this.id, this.lock).block();
		}
		finally {
			scope.close();
		}
		assertThat(fence()).isEqualTo(8);
		assertThatIllegalStateException()
			.isThrownBy(() -> R2dbcStore.under(lease(9), guard().claim(this.id, "another")))
			.withMessageContaining(
					"needs the lock on another, but its reactive flow holds only the lock on [" + this.lock + "]");
	}

	@Test
	void theGuardClaimsWithTheFenceOfTheLeaseThatTheTransactionKeeps() {
		ReactiveRedLockTemplate locks = new ReactiveRedLockTemplate(LockInMemory.create());
		Long kept = this.store.inTransaction(null,
				locks.execute(LockRequest.of(this.lock), (lease) -> Mono.just(lease.fence()))
					.delayUntil((ended) -> guard().claim(this.id, this.lock)));
		assertThat(fence()).isEqualTo(kept).isPositive();
	}

	@Test
	void theGuardClaimsARowThatWasNeverFenced() {
		this.jdbc.update("update invoice set fence = null where id = ?", this.id);
		guard().claim(this.id, 7).block();
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void theGuardCannotClaimARowThatDoesNotExist() {
		assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> guard().claim(0L, 7).block())
			.withMessageContaining("has no row '0'");
		assertThatIllegalArgumentException().isThrownBy(() -> guard().claim(this.id, 0));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new R2dbcFenceGuard(this.store.client(), "invoice", "id = id OR id", "fence"));
	}

	/**
	 * The claim of a later holder comes while the first one is between its claim and its
	 * commit. It has to wait for the commit, and finds what was written.
	 */
	@Test
	void theNextHolderWaitsForTheCommitOfTheClaim() throws Exception {
		CountDownLatch claimed = new CountDownLatch(1);
		CompletableFuture<Integer> next = CompletableFuture.supplyAsync(() -> {
			try {
				assertThat(claimed.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return this.store.inTransaction(lease(9),
					guard().claim(this.id, 9)
						.then(this.store.client()
							.sql("select total from invoice where id = :id")
							.bind("id", this.id)
							.map((row) -> row.get(0, Integer.class))
							.one()));
		});
		this.store.inTransaction(lease(7),
				guard().claim(this.id, 7)
					.then(Mono.fromRunnable(claimed::countDown))
					.then(this.store.client()
						.sql("update invoice set total = 1 where id = :id")
						.bind("id", this.id)
						.fetch()
						.rowsUpdated()));
		assertThat(next.get(30, TimeUnit.SECONDS)).isOne();
	}

	private R2dbcFenceGuard guard() {
		return new R2dbcFenceGuard(this.store.client(), "invoice", "id", "fence");
	}

}
