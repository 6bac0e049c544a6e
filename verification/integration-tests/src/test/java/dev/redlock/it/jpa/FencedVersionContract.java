package dev.redlock.it.jpa;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.redlock.spring.template.RedLockTemplate;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.ObjectOptimisticLockingFailureException;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@code @FencedVersion} does, on each database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class FencedVersionContract {

	private static final Duration TTL = Duration.ofSeconds(10);

	private final RedLockTemplate locks = new RedLockTemplate(LockInMemory.create(), Runnable::run);

	private Database database;

	private Persistence jpa;

	/** Another instance of the application. */
	private Persistence other;

	private JdbcTemplate jdbc;

	private long id;

	private String lock;

	abstract Database start() throws Exception;

	@BeforeAll
	@Timeout(400)
	void startDatabase() throws Exception {
		this.database = start();
		this.jpa = new Persistence(this.database.url(), "create", PurchaseOrder.class, OrderLine.class, StockItem.class,
				PlainItem.class, CachedOrder.class);
		this.other = new Persistence(this.database.url(), "none", CachedOrder.class);
		this.jdbc = new JdbcTemplate(this.jpa.dataSource());
	}

	@AfterAll
	void stopDatabase() throws Exception {
		this.other.close();
		this.jpa.close();
		this.database.close();
	}

	@BeforeEach
	void newOrder() {
		this.id = this.jpa.call((em) -> {
			PurchaseOrder order = new PurchaseOrder();
			order.notes.add("first");
			em.persist(order);
			return order.id;
		});
		this.lock = "order:" + this.id;
	}

	@Test
	void aNewRowWithAGeneratedIdNeedsNoLeaseAndHasTheFenceZero() {
		assertThat(fence()).isZero();
	}

	@Test
	void aQueryClaimsEachRowThatItReturns() {
		this.jpa.run(7, this.lock,
				(em) -> em.createQuery("select o from PurchaseOrder o where o.total = 0", PurchaseOrder.class)
					.getResultList());
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void aReadOnlyTransactionClaimsNothing() {
		TransactionTemplate readOnly = this.jpa.transaction();
		readOnly.setReadOnly(true);
		Persistence.under(7, () -> this.jpa.call(readOnly, this::load), this.lock);
		assertThat(fence()).isZero();
	}

	@Test
	void aLoadWithoutALeaseAndAProjectionClaimNothing() {
		this.jpa.call(this::load);
		this.jpa.run(7, this.lock,
				(em) -> em.createQuery("select o.total from PurchaseOrder o", Integer.class).getResultList());
		assertThat(fence()).isZero();
	}

	@Test
	void aWriteIsRefusedWithoutALease() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run(this::add))
			.withMessageContaining("is fenced by the lock on " + this.lock + ", and the current thread holds no lock");
		assertThat(total()).isZero();
	}

	@Test
	void aWriteIsRefusedUnderALeaseOnAnotherResource() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.jpa.run(7, "order:0", this::add))
			.withMessageContaining("holds only the lock on [order:0]");
		assertThat(total()).isZero();
		assertThat(fence()).isZero();
	}

	@Test
	void theFenceOfALeaseOnSeveralResourcesStandsForAllOfThem() {
		long other = this.jpa.call((em) -> {
			PurchaseOrder order = new PurchaseOrder();
			em.persist(order);
			return order.id;
		});
		Persistence.under(7, () -> this.jpa.call((em) -> {
			add(em);
			em.find(PurchaseOrder.class, other).total = 5;
			return null;
		}), this.lock, "order:" + other);
		assertThat(this.jdbc.queryForList("select fence from PurchaseOrder where id in (?, ?)", Long.class, this.id,
				other))
			.containsExactly(7L, 7L);
		assertStale(6, 7, () -> this.jpa.run(6, "order:" + other, (em) -> em.find(PurchaseOrder.class, other)));
	}

	@Test
	void aFormerHolderIsRefusedWhenItReadsTheFenceOfALaterOne() {
		this.jpa.run(9, this.lock, this::load);
		assertStale(7, 9, () -> this.jpa.run(7, this.lock, this::load));
	}

	@Test
	void aFormerHolderIsRefusedAtTheFlushIfItReadTheRowBeforeTheClaim() {
		openSession((em) -> {
			load(em);
			this.jpa.run(9, this.lock, this::load);
			assertStale(7, 9, () -> inOpenSession(em, 7, this::add));
		});
		assertThat(total()).isZero();
		assertThat(fence()).isEqualTo(9);
	}

	@Test
	void aRowThatWasReadBeforeTheLockIsWrittenIfItIsStillTheSame() {
		openSession((em) -> {
			load(em);
			inOpenSession(em, 7, this::add);
		});
		assertThat(total()).isOne();
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void aRowThatWasReadBeforeTheLockIsNotWrittenIfAnotherHolderChangedIt() {
		openSession((em) -> {
			load(em);
			this.jpa.run(7, this.lock, this::add);
			assertThatExceptionOfType(OptimisticLockingFailureException.class)
				.isThrownBy(() -> inOpenSession(em, 9, this::add));
		});
		assertThat(total()).isOne();
		assertThat(fence()).isEqualTo(7);
	}

	@Test
	void theClaimOfATransactionDoesNotServeTheNextOneOfTheSameSession() {
		openSession((em) -> {
			inOpenSession(em, 7, this::add);
			this.jpa.run(9, this.lock, this::load);
			assertStale(7, 9, () -> inOpenSession(em, 7, this::add));
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> inOpenSession(em, null, this::add));
		});
		assertThat(total()).isOne();
	}

	@Test
	void aTransactionThatBeganBeforeTheLockReadsNoOldStateAndLosesNoUpdate() {
		TransactionTemplate old = this.jpa.transaction();
		old.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		boolean written = true;
		try {
			this.jpa.call(old, (em) -> {
				// Takes the snapshot.
				em.createQuery("select o.total from PurchaseOrder o", Integer.class).getResultList();
				CompletableFuture.runAsync(() -> this.jpa.run(7, this.lock, this::add)).join();
				return Persistence.under(9, () -> {
					assertThat(load(em).total).isOne();
					add(em);
					return null;
				}, this.lock);
			});
		}
		catch (ConcurrencyFailureException ex) {
			written = false;
		}
		assertThat(total()).isEqualTo(written ? 2 : 1);
	}

	@Test
	void anInsertAtTheCommitHasTheLockThatItsTransactionKeeps() {
		String sku = "kept-" + this.id;
		long kept = this.jpa.call((em) -> this.locks.execute("stock:" + sku, TTL, (lease) -> {
			em.persist(new StockItem(sku, 5));
			return lease.fence();
		}));
		assertThat(this.jdbc.queryForObject("select fence from StockItem where sku = ?", Long.class, sku))
			.isEqualTo(kept);
	}

	@Test
	void aTransactionClaimsAndWritesUnderTheLockThatItKeeps() {
		for (Consumer<EntityManager> change : List.<Consumer<EntityManager>>of(this::add,
				(em) -> load(em).tags.add("next"), (em) -> load(em).notes.clear())) {
			this.jpa.run((em) -> {
				this.locks.execute(this.lock, TTL, (lease) -> null);
				change.accept(em);
				em.flush();
			});
		}
		assertThat(total()).isOne();
		this.jpa.run((em) -> {
			this.locks.execute(this.lock, TTL, (lease) -> null);
			em.remove(load(em));
		});
		assertThat(this.jdbc.queryForList("select id from PurchaseOrder where id = ?", this.id)).isEmpty();
	}

	@Test
	void aLockThatATransactionKeptServesNoOtherRowAndNoLaterTransaction() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run((em) -> {
			this.locks.execute("order:0", TTL, (lease) -> null);
			add(em);
		})).withMessageContaining("holds only the lock on [order:0]");
		this.jpa.run((em) -> this.locks.execute(this.lock, TTL, (lease) -> null));
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run(this::add))
			.withMessageContaining("holds no lock");
	}

	@Test
	void twoTransactionsOfOneLeaseLoseNoUpdate() throws Exception {
		int written = FenceAssertions.inTwoThreads(() -> {
			int successes = 0;
			for (int i = 0; i < 50; i++) {
				try {
					this.jpa.run(7, this.lock, this::add);
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
	void aDetachedEntityIsRefusedIfAnotherTransactionOfTheSameLeaseChangedTheRow() {
		PurchaseOrder detached = Persistence.under(7, () -> this.jpa.call(this::load), this.lock);
		this.jpa.run(7, this.lock, this::add);
		detached.total = 3;
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.jpa.run(7, this.lock, (em) -> em.merge(detached)));
		assertThat(total()).isOne();
	}

	@Test
	void aDeleteNeedsTheLeaseToo() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.jpa.run((em) -> em.remove(load(em))));
		openSession((em) -> {
			load(em);
			this.jpa.run(9, this.lock, this::load);
			assertStale(7, 9, () -> inOpenSession(em, 7, (session) -> session.remove(load(session))));
		});
		this.jpa.run(9, this.lock, (em) -> em.remove(load(em)));
		assertThat(this.jdbc.queryForList("select id from PurchaseOrder where id = ?", this.id)).isEmpty();
	}

	@Test
	void aRowWhoseNameCanComeBackIsInsertedUnderTheLeaseOnlyAndNeverDeleted() {
		String sku = "sku-" + this.id;
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.jpa.run((em) -> em.persist(new StockItem(sku, 5))));
		this.jpa.run(7, "stock:" + sku, (em) -> {
			em.persist(new StockItem(sku, 5));
			em.flush();
			em.find(StockItem.class, sku).remaining = 4;
		});
		assertThat(this.jdbc.queryForObject("select fence from StockItem where sku = ?", Long.class, sku)).isEqualTo(7);
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.jpa.run(7, "stock:" + sku, (em) -> em.remove(em.find(StockItem.class, sku))))
			.withMessageContaining("must not be deleted");
	}

	@Test
	void aCollectionIsWrittenUnderTheLeaseOnlyEvenIfItDoesNotRaiseTheVersion() {
		for (Consumer<EntityManager> change : List.<Consumer<EntityManager>>of((em) -> load(em).notes.add("next"),
				(em) -> load(em).tags.add("next"), (em) -> load(em).notes.clear())) {
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run(change));
			this.jpa.run(7, this.lock, change);
			assertStale(6, 7, () -> this.jpa.run(6, this.lock, change));
		}
	}

	@Test
	void aChildRowIsGuardedByTheLockOfItsParent() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.jpa.run((em) -> em.persist(new OrderLine(load(em)))));
		this.jpa.run(7, this.lock, (em) -> load(em).lines.add(new OrderLine(load(em))));
		Consumer<EntityManager> change = (em) -> line(em).amount = 3;
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run(change));
		assertStale(6, 7, () -> this.jpa.run(6, this.lock, change));
		this.jpa.run(8, this.lock, change);
		assertThat(this.jdbc.queryForObject("select fence from OrderLine where order_id = ?", Long.class, this.id))
			.isEqualTo(8);
		assertStale(7, 8, () -> this.jpa.run(7, this.lock, (em) -> em.remove(line(em))));
		this.jpa.run(9, this.lock, (em) -> em.remove(line(em)));
		assertThat(
				this.jdbc.queryForObject("select count(*) from OrderLine where order_id = ?", Integer.class, this.id))
			.isZero();
	}

	@Test
	void aNewParentAndItsChildrenNeedNoLeaseUntilTheirTransactionEnds() {
		openSession((em) -> {
			PurchaseOrder order = new PurchaseOrder();
			order.lines.add(new OrderLine(order));
			inOpenSession(em, null, (session) -> {
				session.persist(order);
				session.persist(new OrderLine(order));
				session.flush();
				order.lines.get(0).amount = 3;
			});
			assertThat(this.jdbc.queryForList("select fence from OrderLine where order_id = ?", Long.class, order.id))
				.containsExactly(0L, 0L);
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> inOpenSession(em, null, (session) -> session.persist(new OrderLine(order))))
				.withMessageContaining("is fenced by the lock on order:" + order.id);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "OPTIMISTIC_FORCE_INCREMENT", "PESSIMISTIC_FORCE_INCREMENT" })
	void aVersionIsOnlyRaisedUnderTheLease(LockModeType mode) {
		for (Consumer<EntityManager> raise : List.<Consumer<EntityManager>>of(
				(em) -> em.find(PurchaseOrder.class, this.id, mode), (em) -> em.lock(load(em), mode),
				(em) -> em.refresh(load(em), mode), (em) -> {
					load(em);
					em.find(PurchaseOrder.class, this.id, mode);
				},
				(em) -> em.createQuery("select o from PurchaseOrder o where o.id = :id", PurchaseOrder.class)
					.setParameter("id", this.id)
					.setLockMode(mode)
					.getSingleResult())) {
			long version = version();
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> this.jpa.run(raise))
				.withMessageContaining("is fenced by the lock on " + this.lock);
			assertThat(version()).isEqualTo(version);
			this.jpa.run(7, this.lock, raise);
			assertThat(version()).isGreaterThan(version);
			assertStale(6, 7, () -> this.jpa.run(6, this.lock, raise));
		}
	}

	@Test
	void aStaleEntryOfALocalCacheIsRefusedOnceSoTheRepeatedTransactionReadsTheRow() {
		long cached = cachedOrder();
		this.other.run(7, "order:" + cached, (em) -> em.find(CachedOrder.class, cached).total++);
		Consumer<EntityManager> sale = (em) -> em.find(CachedOrder.class, cached).total++;
		assertThatExceptionOfType(OptimisticLockingFailureException.class)
			.isThrownBy(() -> this.jpa.run(8, "order:" + cached, sale));
		this.jpa.run(8, "order:" + cached, sale);
		assertThat(cachedTotal(cached)).isEqualTo(2);
	}

	@Test
	void aStaleEntryThatWasReadBeforeTheLockIsRefusedAtTheFlushOnce() {
		long cached = cachedOrder();
		this.other.run(7, "order:" + cached, (em) -> em.find(CachedOrder.class, cached).total++);
		Runnable sale = () -> openSession((em) -> {
			em.find(CachedOrder.class, cached);
			this.lock = "order:" + cached;
			inOpenSession(em, 8, (shared) -> shared.find(CachedOrder.class, cached).total++);
		});
		assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(sale::run);
		sale.run();
		assertThat(cachedTotal(cached)).isEqualTo(2);
	}

	@Test
	void aStatelessSessionIsRefused() {
		try (var session = this.jpa.factory().unwrap(SessionFactory.class).openStatelessSession()) {
			session.beginTransaction();
			PurchaseOrder order = session.get(PurchaseOrder.class, this.id);
			order.total = 3;
			for (Runnable write : List.<Runnable>of(() -> session.update(order), () -> session.upsert(order),
					() -> session.delete(order))) {
				assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> Persistence.under(7, () -> {
					write.run();
					return null;
				}, this.lock)).withMessageContaining("Use an EntityManager");
			}
			session.getTransaction().rollback();
		}
	}

	/**
	 * A row that this instance has in its cache.
	 */
	private long cachedOrder() {
		long cached = this.jpa.call((em) -> {
			CachedOrder order = new CachedOrder();
			order.notes.add("first");
			em.persist(order);
			return order.id;
		});
		assertThat(this.jpa.<Integer>call((em) -> em.find(CachedOrder.class, cached).notes.size())).isOne();
		return cached;
	}

	private int cachedTotal(long cached) {
		return this.jdbc.queryForObject("select total from CachedOrder where id = ?", Integer.class, cached);
	}

	private OrderLine line(EntityManager em) {
		return em.createQuery("select l from OrderLine l where l.order.id = :id", OrderLine.class)
			.setParameter("id", this.id)
			.getSingleResult();
	}

	private PurchaseOrder load(EntityManager em) {
		return em.find(PurchaseOrder.class, this.id);
	}

	private void add(EntityManager em) {
		load(em).total++;
	}

	private int total() {
		return this.jdbc.queryForObject("select total from PurchaseOrder where id = ?", Integer.class, this.id);
	}

	private long version() {
		return this.jdbc.queryForObject("select version from PurchaseOrder where id = ?", Long.class, this.id);
	}

	private long fence() {
		return this.jdbc.queryForObject("select fence from PurchaseOrder where id = ?", Long.class, this.id);
	}

	/**
	 * A session that is open for longer than a transaction, as in a web request.
	 */
	private void openSession(Consumer<EntityManager> work) {
		try (EntityManager em = this.jpa.factory().createEntityManager()) {
			work.accept(em);
		}
	}

	private void inOpenSession(EntityManager em, Long fence, Consumer<EntityManager> work) {
		TransactionSynchronizationManager.bindResource(this.jpa.factory(), new EntityManagerHolder(em));
		try {
			if (fence != null) {
				this.jpa.run(fence, this.lock, work);
			}
			else {
				this.jpa.run(work);
			}
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this.jpa.factory());
		}
	}

	private void inOpenSession(EntityManager em, long fence, Consumer<EntityManager> work) {
		inOpenSession(em, Long.valueOf(fence), work);
	}

	private static void assertStale(long fence, long highest, Runnable work) {
		FenceAssertions.assertStale(ObjectOptimisticLockingFailureException.class, fence, highest, work);
	}

}
