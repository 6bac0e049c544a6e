package dev.redlock.it.data;

import java.util.Set;

import dev.redlock.Lease;
import dev.redlock.Redlock;
import dev.redlock.it.jpa.Database;
import dev.redlock.it.jpa.FenceAssertions;
import dev.redlock.it.jpa.HeldLease;
import dev.redlock.it.jpa.LockInMemory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What {@code @Fenced} does, with Spring Data JDBC and R2DBC on each database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class FencedAggregateContract<S extends Store> {

	private Database database;

	S store;

	JdbcTemplate jdbc;

	long id;

	String lock;

	abstract Database start() throws Exception;

	abstract S connect(String url);

	@BeforeAll
	@Timeout(400)
	void startDatabase() throws Exception {
		this.database = start();
		this.jdbc = tables(this.database.url());
		this.store = connect(this.database.url());
	}

	@AfterAll
	void stopDatabase() throws Exception {
		this.store.close();
		this.database.close();
	}

	@BeforeEach
	void newInvoice() {
		this.id = this.store.save(null, new Invoice()).id;
		this.lock = "invoice:" + this.id;
	}

	@Test
	void aNewRowWithAGeneratedIdNeedsNoLeaseAndHasTheFenceZero() {
		assertThat(fence()).isZero();
	}

	@Test
	void aSaveIsRefusedWithoutALease() {
		assertThatIllegalStateException().isThrownBy(() -> add(null))
			.withMessageContaining("is fenced by the lock on " + this.lock)
			.withMessageContaining("holds no lock");
		assertThat(total()).isZero();
	}

	@Test
	void aSaveIsRefusedUnderALeaseOnAnotherResource() {
		assertThatIllegalStateException().isThrownBy(() -> add(lease(7, "invoice:0")))
			.withMessageContaining("holds only the lock on [invoice:0]");
		assertThat(total()).isZero();
		assertThat(fence()).isZero();
	}

	@Test
	void aSaveOutsideOfATransactionIsRefused() {
		Invoice read = load(null);
		read.total = 3;
		assertThatIllegalStateException().isThrownBy(() -> this.store.saveOutsideOfTransactions(lease(7), read))
			.withMessageContaining("only in a transaction");
		assertThat(total()).isZero();
		assertThat(fence()).isZero();
	}

	@Test
	void theFenceOfALeaseOnSeveralResourcesStandsForAllOfThem() {
		long other = this.store.save(null, new Invoice()).id;
		Lease both = lease(7, this.lock, "invoice:" + other);
		add(both);
		this.store.change(both, Invoice.class, other, (invoice) -> invoice.total++);
		assertThat(this.jdbc.queryForList("select fence from invoice where id in (?, ?)", Long.class, this.id, other))
			.containsExactly(7L, 7L);
		assertStale(6, 7, () -> this.store.change(lease(6, "invoice:" + other), Invoice.class, other,
				(invoice) -> invoice.total++));
	}

	@Test
	void aFormerHolderThatReadBeforeTheLaterOneWroteIsRefused() {
		Invoice read = load(lease(7));
		add(lease(9));
		read.total = 5;
		assertStale(7, 9, () -> this.store.save(lease(7), read));
		assertThat(total()).isOne();
		assertThat(fence()).isEqualTo(9);
	}

	@Test
	void aFormerHolderThatReadsAfterTheLaterOneWroteIsRefusedAndTheControlIsNot() {
		add(lease(9));
		assertStale(7, 9, () -> add(lease(7)));
		assertThat(total()).isOne();
		String sku = "plain-" + this.id;
		this.store.save(null, new PlainItem(sku, 5));
		this.store.change(lease(9, sku), PlainItem.class, sku, (item) -> item.remaining--);
		this.store.change(lease(7, sku), PlainItem.class, sku, (item) -> item.remaining--);
		assertThat(this.jdbc.queryForObject("select remaining from plain_item where sku = ?", Integer.class, sku))
			.isEqualTo(3);
	}

	@Test
	void anAggregateThatWasReadBeforeTheLockIsWrittenIfTheRowIsStillTheSame() {
		Invoice read = load(null);
		read.total = 3;
		this.store.save(lease(7), read);
		assertThat(total()).isEqualTo(3);
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void anAggregateThatWasReadBeforeTheLockIsNotWrittenIfAnotherHolderChangedIt() {
		Invoice read = load(null);
		add(lease(7));
		read.total = 3;
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.store.save(lease(9), read))
			.withNoCause();
		assertThat(total()).isOne();
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void twoTransactionsOfOneLeaseLoseNoUpdate() throws Exception {
		int written = FenceAssertions.inTwoThreads(() -> {
			int successes = 0;
			for (int i = 0; i < 50; i++) {
				try {
					add(lease(7));
					successes++;
				}
				catch (OptimisticLockingFailureException ex) {
					// The other thread was first.
				}
			}
			return successes;
		});
		assertThat(total()).isEqualTo(written).isPositive();
	}

	@Test
	void aSaveOfARowThatIsGoneIsRefused() {
		Invoice read = load(null);
		this.jdbc.update("delete from invoice where id = ?", this.id);
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.store.save(lease(7), read));
	}

	@Test
	void aNewAggregateWithAnIdOfItsOwnIsRefused() {
		Invoice invoice = new Invoice();
		invoice.id = 1_000_000L;
		assertThatIllegalStateException().isThrownBy(() -> this.store.save(lease(7, "invoice:1000000"), invoice))
			.withMessageContaining("assignedId = true");
	}

	@Test
	void aRowWhoseNameCanComeBackIsInsertedUnderTheLeaseOnly() {
		String sku = "sku-" + this.id;
		assertThatIllegalStateException().isThrownBy(() -> this.store.save(null, new StockItem(sku, 5)));
		this.store.save(lease(7, "stock:" + sku), new StockItem(sku, 5));
		assertThat(this.jdbc.queryForObject("select fence from stock_item where sku = ?", Long.class, sku))
			.isEqualTo(7);
		assertStale(6, 7, () -> this.store.save(lease(6, "stock:" + sku), new StockItem(sku, 9)));
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.store.save(lease(8, "stock:" + sku), new StockItem(sku, 9)));
		this.store.change(lease(8, "stock:" + sku), StockItem.class, sku, (item) -> item.remaining--);
		assertThat(this.jdbc.queryForObject("select remaining from stock_item where sku = ?", Integer.class, sku))
			.isEqualTo(4);
	}

	@Test
	void anAssignedIdWithoutAValueIsRefusedWithWhatToDo() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.store.save(lease(7, "stock:null"), new StockItem(null, 5)))
			.withMessageContaining("by the lock on stock:#{sku}, and sku has no value yet. Set the id before the save");
	}

	@Test
	void aSaveHasTheLockThatItsTransactionKeeps() {
		Redlock redlock = LockInMemory.create();
		Invoice read = load(null);
		read.total = 3;
		Invoice saved = this.store.saveUnderAKeptLock(redlock, this.lock, read);
		assertThat(total()).isEqualTo(3);
		assertThat(fence()).isEqualTo(saved.fence).isPositive();
		String sku = "kept-" + this.id;
		this.store.saveUnderAKeptLock(redlock, "stock:" + sku, new StockItem(sku, 5));
		assertThat(this.jdbc.queryForObject("select fence from stock_item where sku = ?", Long.class, sku))
			.isPositive();
		assertThatIllegalStateException().isThrownBy(() -> this.store.saveUnderAKeptLock(redlock, "invoice:0", read))
			.withMessageContaining("holds only the lock on [invoice:0]");
	}

	@Test
	void aRowWithoutAVersionIsRefusedWithWhatToDo() {
		this.jdbc.update("update invoice set version = null where id = ?", this.id);
		Invoice read = load(null);
		assertThatIllegalStateException().isThrownBy(() -> this.store.save(lease(7), read))
			.withMessage("The row '" + this.id + "' of " + Invoice.class.getName()
					+ " has no version, so its fence cannot be checked. Set the version column to 0 where it is "
					+ "null.");
		assertThatIllegalStateException().isThrownBy(() -> add(lease(7)))
			.withMessageContaining("has no version, so its fence cannot be checked");
		assertThatIllegalStateException().isThrownBy(() -> this.store.save(null, read))
			.withMessageContaining("has no version, so its fence cannot be checked");
	}

	@Test
	void aRowWithoutAVersionThatIsReadAsZeroIsRefusedWithWhatToDo() {
		String sku = "old-" + this.id;
		this.jdbc.update("insert into stock_item (sku, remaining) values (?, 5)", sku);
		StockItem read = this.store.load(null, StockItem.class, sku);
		assertThatIllegalStateException().isThrownBy(() -> this.store.save(lease(7, "stock:" + sku), read))
			.withMessage("The row '" + sku + "' of " + StockItem.class.getName()
					+ " has no version, so its fence cannot be checked. Set the version column to 1 where it is null "
					+ "or 0.");
	}

	static JdbcTemplate tables(String url) {
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url));
		jdbc.execute("create table invoice (id bigint "
				+ (url.contains("mariadb") ? "auto_increment" : "generated by default as identity")
				+ " primary key, version int, total int, fence bigint)");
		for (String table : Set.of("stock_item (fence bigint, ", "plain_item (")) {
			jdbc.execute("create table " + table + "sku varchar(64) primary key, version bigint, remaining int)");
		}
		return jdbc;
	}

	Lease lease(long fence) {
		return lease(fence, this.lock);
	}

	static Lease lease(long fence, String... resources) {
		return new HeldLease(fence, Set.of(resources));
	}

	Invoice load(Lease lease) {
		return this.store.load(lease, Invoice.class, this.id);
	}

	void add(Lease lease) {
		this.store.change(lease, Invoice.class, this.id, (invoice) -> invoice.total++);
	}

	int total() {
		return this.jdbc.queryForObject("select total from invoice where id = ?", Integer.class, this.id);
	}

	long fence() {
		return this.jdbc.queryForObject("select fence from invoice where id = ?", Long.class, this.id);
	}

	static void assertStale(long fence, long highest, Runnable work) {
		FenceAssertions.assertStale(OptimisticLockingFailureException.class, fence, highest, work);
	}

}
