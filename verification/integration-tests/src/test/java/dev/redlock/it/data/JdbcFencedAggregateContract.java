package dev.redlock.it.data;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.it.jpa.HeldLease;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What only Spring Data JDBC has callbacks for: loads and deletes.
 */
abstract class JdbcFencedAggregateContract extends FencedAggregateContract<JdbcStore> {

	@Override
	JdbcStore connect(String url) {
		return new JdbcStore(url);
	}

	@Test
	void aLoadClaimsTheRowEvenIfNothingIsWrittenAfterIt() {
		assertThat(load(lease(7)).fence).isEqualTo(7);
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void aQueryClaimsEachRowThatItReturns() {
		long other = this.store.save(null, new Invoice()).id;
		this.store.inTransaction(lease(7, this.lock, "invoice:" + other), () -> this.store.invoices().findAll());
		assertThat(this.jdbc.queryForList("select fence from invoice where id in (?, ?)", Long.class, this.id, other))
			.containsExactly(7L, 7L);
	}

	@Test
	void readOnlyTransactionsAndLoadsOutsideOfATransactionOrOfTheLockClaimNothing() {
		TransactionTemplate readOnly = this.store.transaction();
		readOnly.setReadOnly(true);
		HeldLease.under(lease(7),
				() -> readOnly.execute((status) -> this.store.aggregates().findById(this.id, Invoice.class)));
		HeldLease.under(lease(7), () -> this.store.invoices().findById(this.id));
		HeldLease.under(lease(7), () -> this.store.aggregates().findById(this.id, Invoice.class));
		load(null);
		load(lease(7, "invoice:0"));
		assertThat(fence()).isZero();
	}

	@Test
	void aTransactionThatBeganBeforeTheLockReadsNoOldStateAndLosesNoUpdate() {
		TransactionTemplate old = this.store.transaction();
		old.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		boolean written = true;
		try {
			old.executeWithoutResult((status) -> {
				this.store.aggregates().count(PlainItem.class);
				this.store.aggregates().count(Invoice.class);
				CompletableFuture.runAsync(() -> add(lease(7))).join();
				HeldLease.under(lease(9), () -> {
					Invoice read = this.store.aggregates().findById(this.id, Invoice.class);
					assertThat(read.total).isOne();
					read.total++;
					return this.store.aggregates().save(read);
				});
			});
		}
		catch (ConcurrencyFailureException ex) {
			written = false;
		}
		assertThat(total()).isEqualTo(written ? 2 : 1);
	}

	@Test
	void aRepositorySavesInATransactionOfItsOwn() {
		Invoice read = load(null);
		read.total = 3;
		HeldLease.under(lease(7), () -> this.store.invoices().save(read));
		assertThat(total()).isEqualTo(3);
		assertThat(fence()).isEqualTo(7);
		read.total = 4;
		assertStale(6, 7, () -> HeldLease.under(lease(6), () -> this.store.invoices().save(read)));
		assertThat(total()).isEqualTo(3);
	}

	@Test
	void aDeleteNeedsTheLeaseToo() {
		Invoice read = load(null);
		assertThatIllegalStateException().isThrownBy(() -> this.store.inTransaction(null, () -> delete(read)))
			.withMessageContaining("is fenced by the lock on " + this.lock);
		assertThatIllegalStateException().isThrownBy(() -> HeldLease.under(lease(7), () -> delete(read)))
			.withMessageContaining("only in a transaction");
		load(lease(9));
		assertStale(7, 9, () -> this.store.inTransaction(lease(7), () -> delete(read)));
		add(lease(9));
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.store.inTransaction(lease(9), () -> delete(read)));
		this.store.inTransaction(lease(9), () -> delete(load(lease(9))));
		assertThat(this.jdbc.queryForList("select id from invoice where id = ?", this.id)).isEmpty();
	}

	@Test
	void aRowWithoutAVersionIsNeitherLoadedUnderTheLockNorDeleted() {
		this.jdbc.update("update invoice set version = null where id = ?", this.id);
		Invoice read = load(null);
		assertThatIllegalStateException().isThrownBy(() -> load(lease(7)))
			.withMessageContaining("has no version, so its fence cannot be checked. Set the version column to 0");
		assertThatIllegalStateException().isThrownBy(() -> this.store.inTransaction(lease(7), () -> delete(read)))
			.withMessageContaining("has no version, so its fence cannot be checked. Set the version column to 0");
	}

	@Test
	void aProjectionWithoutTheVersionIsReadUnderTheLockAndClaimsNothing() {
		add(lease(7));
		assertThat(this.store.inTransaction(lease(9), () -> this.store.invoices().findTotalById(this.id)).getTotal())
			.isOne();
		assertThat(
				this.store.inTransaction(lease(9), () -> this.store.invoices().findIdAndTotalById(this.id)).getTotal())
			.isOne();
		assertThat(fence()).isEqualTo(7);
		this.jdbc.update("update invoice set version = null where id = ?", this.id);
		assertThatIllegalStateException()
			.isThrownBy(
					() -> this.store.inTransaction(lease(9), () -> this.store.invoices().findIdAndTotalById(this.id)))
			.withMessageContaining("has no version, so its fence cannot be checked");
	}

	@Test
	void aRowWhoseNameCannotBeALocksIsLoadedUnderOtherLocksAndNotWritten() {
		String sku = "a\t" + this.id;
		this.jdbc.update("insert into stock_item (sku, remaining, version) values (?, 5, 1)", sku);
		StockItem read = this.store.load(lease(7), StockItem.class, sku);
		assertThat(read.remaining).isEqualTo(5);
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.save(lease(7), read))
			.withMessageContaining("which is a control character");
	}

	@Test
	void aDeleteByIdIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> HeldLease.under(lease(7), () -> deleteById(this.id)))
			.withMessageContaining("cannot be deleted by its id");
		assertThatIllegalStateException().isThrownBy(() -> HeldLease.under(lease(7), () -> {
			this.store.invoices().deleteAllById(List.of(this.id));
			return true;
		}));
		assertThat(total()).isZero();
	}

	@Test
	void aRowWhoseNameCanComeBackIsNeverDeleted() {
		String sku = "gone-" + this.id;
		StockItem item = this.store.save(lease(7, "stock:" + sku), new StockItem(sku, 5));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.store.inTransaction(lease(7, "stock:" + sku), () -> delete(item)))
			.withMessageContaining("must not be deleted");
	}

	@Test
	void anUpsertIsCheckedLikeASaveAndDoesNotRaiseTheVersion() {
		Method upsert = ReflectionUtils.findMethod(JdbcAggregateOperations.class, "upsert", Object.class);
		assumeThat(upsert).as("Spring Data has it since 4.1").isNotNull();
		Invoice read = load(null);
		assertThatIllegalStateException().isThrownBy(() -> upsert(upsert, null, read))
			.withMessageContaining("is fenced by the lock on " + this.lock);
		add(lease(9));
		Invoice later = load(null);
		assertStale(7, 9, () -> upsert(upsert, lease(7), later));
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> upsert(upsert, lease(9), read));
		Invoice readBefore = load(null);
		later.total = 5;
		upsert(upsert, lease(9), later);
		assertThat(total()).isEqualTo(5);
		this.store.save(lease(9), readBefore);
		assertThat(total()).as("the upsert has not raised the version, so a save overwrites it").isOne();
		String sku = "upsert-" + this.id;
		assertThatIllegalStateException().isThrownBy(() -> upsert(upsert, null, new StockItem(sku, 5)));
		upsert(upsert, lease(7, "stock:" + sku), new StockItem(sku, 5));
		assertThat(this.jdbc.queryForObject("select fence from stock_item where sku = ?", Long.class, sku))
			.isEqualTo(7);
	}

	private Object upsert(Method upsert, Lease lease, Object aggregate) {
		return this.store.inTransaction(lease,
				() -> ReflectionUtils.invokeMethod(upsert, this.store.aggregates(), aggregate));
	}

	private boolean delete(Object aggregate) {
		this.store.aggregates().delete(aggregate);
		return true;
	}

	private boolean deleteById(long id) {
		this.store.invoices().deleteById(id);
		return true;
	}

}
