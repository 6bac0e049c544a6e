package dev.redlock.it.jpa;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import dev.redlock.spring.interceptor.RedLockConfiguration;
import dev.redlock.spring.template.RedLockTemplate;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each sentence of the recipe of work that a request begins and a worker ends.
 */
class TravellingLeaseTests {

	private final ManualTime time = new ManualTime();

	private final List<InMemoryNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryNode(name, this.time))
		.toList();

	private final Redlock shop = process(1);

	private final RedLockTemplate elsewhere = new RedLockTemplate(process(2), Runnable::run);

	private Database database;

	private Persistence persistence;

	private AnnotationConfigApplicationContext context;

	private Shipments shipments;

	private Shipments.Worker worker;

	@BeforeEach
	void start() throws Exception {
		this.database = Database.h2();
		this.persistence = new Persistence(this.database.url(), "create-drop", StockItem.class, ShipmentTask.class);
		EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(this.persistence.factory());
		TransactionTemplate transaction = this.persistence.transaction();
		this.context = new AnnotationConfigApplicationContext();
		this.context.register(Application.class);
		this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(this.shop, Runnable::run));
		this.context.registerBean(Redlock.class, () -> this.shop, (bean) -> bean.setDestroyMethodName(""));
		this.context.registerBean(PlatformTransactionManager.class, transaction::getTransactionManager);
		this.context.registerBean(Shipments.class, () -> new Shipments(entities));
		this.context.refresh();
		this.shipments = this.context.getBean(Shipments.class);
		this.worker = new Shipments.Worker(this.elsewhere, transaction, entities);
		this.persistence.run(1, "stock:apple", (em) -> em.persist(new StockItem("apple", 100)));
	}

	@AfterEach
	void stop() throws Exception {
		this.context.close();
		this.persistence.close();
		this.database.close();
	}

	@Test
	void theRequestReturnsAndTheLockStaysForTheWorkerWhoseWritesHaveAHigherFence() {
		this.shipments.order("apple");
		long fence = item().fence;
		assertThat(item().remaining).isEqualTo(99);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.shipments.order("apple"))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.HELD));
		this.worker.work(task());
		assertThat(item().remaining).isEqualTo(89);
		assertThat(item().fence).isGreaterThan(fence);
		assertThat(isHeld()).isFalse();
	}

	@Test
	void aRollbackLeavesNeitherTaskNorLock() {
		this.persistence.run(1, "stock:apple", (em) -> em.persist(new ShipmentTask("apple", "in the way")));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.shipments.order("apple"));
		assertThat(item().remaining).isEqualTo(100);
		assertThat(isHeld()).isFalse();
	}

	@Test
	void ifNobodyTakesTheTicketTheLockEndsWithItsTtl() {
		this.shipments.order("apple");
		this.time.advance(this.shop.settings().ttl());
		assertThat(isHeld()).isFalse();
	}

	@Test
	void aWorkerThatIsLateBeginsAnew() {
		this.shipments.order("apple");
		this.time.advance(this.shop.settings().ttl());
		this.worker.work(task());
		assertThat(item().remaining).isEqualTo(89);
	}

	@Test
	void aWorkerThatIsLateLeavesTheItemToItsNewOwner() {
		this.shipments.order("apple");
		ShipmentTask task = task();
		this.time.advance(this.shop.settings().ttl());
		this.elsewhere.execute(LockRequest.of("stock:apple"), (lease) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.worker.work(task))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.HELD));
			return null;
		});
		assertThat(item().remaining).isEqualTo(99);
	}

	@Test
	void aMessageThatComesTwiceIsWorkedOnOnce() {
		this.shipments.order("apple");
		ShipmentTask task = task();
		this.elsewhere.execute(LockRequest.succeeding(task.ticket), (lease) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class).as("while the first works")
				.isThrownBy(() -> this.worker.work(task))
				.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.HELD));
			return this.worker.ship("apple");
		});
		this.worker.work(task);
		assertThat(item().remaining).isEqualTo(89);
	}

	@Test
	void withoutAQuorumTheTicketIsGoodForAnotherTry() {
		this.shipments.order("apple");
		ShipmentTask task = task();
		this.nodes.subList(0, 2).forEach(InMemoryNode::down);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.worker.work(task))
			.satisfies((failure) -> assertThat(failure.reason()).isEqualTo(Reason.NO_QUORUM));
		this.nodes.forEach(InMemoryNode::up);
		this.worker.work(task);
		assertThat(item().remaining).isEqualTo(89);
	}

	@Test
	void theProcessThatDetachedTheLeaseNoLongerWritesUnderIt() {
		new RedLockTemplate(this.shop, Runnable::run).execute(LockRequest.of("stock:apple"), (lease) -> {
			lease.detach();
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> this.persistence.run((em) -> em.find(StockItem.class, "apple").remaining = 0))
				.withStackTraceContaining("was detached");
			return null;
		});
		assertThat(item().remaining).isEqualTo(100);
	}

	private StockItem item() {
		return this.persistence.call((em) -> em.find(StockItem.class, "apple"));
	}

	private ShipmentTask task() {
		return this.persistence.call((em) -> em.find(ShipmentTask.class, "apple"));
	}

	private boolean isHeld() {
		return this.nodes.stream().anyMatch((node) -> !node.tokens().isEmpty());
	}

	private Redlock process(int seed) {
		return Redlock.over(this.nodes)
			.settings(RedlockSettings.builder().waitFor(Duration.ZERO).build())
			.ticker(this.time)
			.loop(this.time)
			.callbacks(Runnable::run)
			.random(new SplittableRandom(seed))
			.build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	@Import(RedLockConfiguration.class)
	static class Application {

	}

}
