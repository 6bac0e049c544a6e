package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.lock.RedlockLocks;
import dev.redlock.spring.template.RedLockTemplate;
import jakarta.annotation.PreDestroy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications on the same nodes, one of which ends while work runs under its lock.
 */
class WorkAtShutdownTests {

	private static final Duration BOUND = Duration.ofSeconds(50);

	private static final LockRequest WORK = LockRequest.of("work").withWaitFor(Duration.ZERO);

	private final List<InMemoryNode> nodes = Stream.of("a", "b", "c")
		.map((name) -> new InMemoryNode(name, Ticker.SYSTEM))
		.toList();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class,
				RedlockAnnotationAutoConfiguration.class, RedlockReactiveAutoConfiguration.class))
		.withBean(LockNodes.class, () -> LockNodes.of(this.nodes))
		.withPropertyValues("redlock.shutdown-timeout=40s")
		.withUserConfiguration(Application.class);

	@ParameterizedTest
	@EnumSource
	void noOtherProcessEntersBeforeTheWorkHasEnded(Kind kind) {
		this.runner.run((one) -> this.runner.run((two) -> {
			Work work = new Work();
			kind.start.accept(one, work);
			assertThat(work.began.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
			CompletableFuture<Void> closing = runOnItsOwnThread(one.getSourceApplicationContext()::close);
			Pool pool = one.getBean(Pool.class);
			Redlock lock = one.getBean(Redlock.class);
			Awaitility.await().atMost(BOUND).until(() -> lock.isClosed() || pool.draining.getCount() == 0);
			assertThat(other(two)).as("another process gets the lock under work that runs").isFalse();
			assertThat(closing).isNotDone();
			work.end.countDown();
			work.ended.complete(null);
			assertThat(closing).succeedsWithin(BOUND);
			assertThat(other(two)).as("another process gets the lock after the work").isTrue();
			assertThat(two.getBean(Losses.class).told).isEmpty();
		}));
	}

	@Test
	void aDestroyMethodWorksUnderItsLock() {
		this.runner.withBean(LastWriter.class).run((context) -> {
			LastWriter writer = context.getBean(LastWriter.class);
			context.getSourceApplicationContext().close();
			assertThat(writer.written).containsExactly("under the lock");
		});
	}

	@Test
	void aLockOfTheApplicationClosesAfterItsUsersAndBeforeTheBeansItNeeds() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class,
					RedlockAnnotationAutoConfiguration.class, RedlockReactiveAutoConfiguration.class))
			.withUserConfiguration(OwnLock.class, Application.class)
			.withBean(LastWriter.class)
			.run((context) -> {
				LastWriter writer = context.getBean(LastWriter.class);
				Redlock lock = context.getBean(Redlock.class);
				Needed needed = context.getBean(Needed.class);
				context.getSourceApplicationContext().close();
				assertThat(writer.written).containsExactly("under the lock");
				assertThat(lock.isClosed()).isTrue();
				assertThat(needed.isDestroyedAfterTheLock()).isTrue();
			});
	}

	@Test
	void aContextThatIsStoppedLetsWorkEndAndStartsAgain() {
		this.runner.run((context) -> {
			Work work = new Work();
			Kind.OWN_THREAD.start.accept(context, work);
			work.began.await();
			ConfigurableApplicationContext source = context.getSourceApplicationContext();
			CompletableFuture<Void> stopping = runOnItsOwnThread(source::stop);
			Redlock lock = context.getBean(Redlock.class);
			Awaitility.await().atMost(BOUND).until(lock::isClosed);
			assertThat(lock.leases()).hasSize(1);
			work.end.countDown();
			assertThat(stopping).succeedsWithin(BOUND);
			source.start();
			assertThat(other(context)).isTrue();
		});
	}

	@Test
	void aContextThatFailsToStartDestroysItsLockAfterTheBeansThatUseIt() {
		AtomicBoolean validWhenDestroyed = new AtomicBoolean();
		this.runner.withBean(AtomicBoolean.class, () -> validWhenDestroyed)
			.withBean(HoldsForLife.class)
			.withBean(FailingServer.class)
			.run((context) -> assertThat(context).getFailure().hasRootCauseMessage("The port is in use"));
		assertThat(validWhenDestroyed).isTrue();
		this.runner.run((two) -> assertThat(other(two)).isTrue());
	}

	@Test
	void aLockedMethodThatClosesItsContextIsNotWaitedFor() {
		this.runner.withPropertyValues("redlock.shutdown-timeout=10m").run((context) -> {
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			ConfigurableApplicationContext source = context.getSourceApplicationContext();
			CompletableFuture<Void> closing = runOnItsOwnThread(() -> template.execute(WORK, (lease) -> {
				source.close();
				assertThat(this.nodes.get(0).tokens()).as("the keys stay until they expire").hasSize(1);
				return lease;
			}));
			assertThat(closing).failsWithin(BOUND).withThrowableThat().withMessageContaining("SHUT_DOWN");
		});
	}

	@Test
	void aLockThatSpringDoesNotDestroyStaysOpenForItsOtherUsers() {
		this.runner.run((owner) -> {
			Redlock shared = owner.getBean(Redlock.class);
			this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("shared", shared))
				.run((user) -> assertThat(user.getBean(Redlock.class)).isSameAs(shared));
			assertThat(shared.isClosed()).isFalse();
			assertThat(other(owner)).isTrue();
		});
	}

	@Test
	void aBeanWithAPrototypeLocksWhileItIsDestroyed() {
		this.runner.withInitializer((context) -> {
			BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
			RootBeanDefinition outer = new RootBeanDefinition(Outer.class);
			outer.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_NAME);
			registry.registerBeanDefinition("outer", outer);
			RootBeanDefinition inner = new RootBeanDefinition(Inner.class);
			inner.setScope(BeanDefinition.SCOPE_PROTOTYPE);
			registry.registerBeanDefinition("inner", inner);
		}).run((context) -> {
			Outer outer = context.getBean(Outer.class);
			context.getSourceApplicationContext().close();
			assertThat(outer.sold).containsExactly("under the lock");
		});
	}

	@Test
	void aBeanInsideOfAnotherBeanLocksWhileTheOtherIsDestroyed() {
		this.runner.withInitializer((context) -> {
			RootBeanDefinition outer = new RootBeanDefinition(Outer.class);
			outer.getPropertyValues().add("inner", new RootBeanDefinition(Inner.class));
			((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition("outer", outer);
		}).run((context) -> {
			Outer outer = context.getBean(Outer.class);
			context.getSourceApplicationContext().close();
			assertThat(outer.sold).containsExactly("under the lock");
		});
	}

	@Test
	void aChildContextThatIsClosedLeavesTheLockOfItsParentOpen() {
		this.runner.run((parent) -> {
			new ApplicationContextRunner().withParent(parent)
				.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class))
				.withBean(LastWriter.class)
				.run((child) -> assertThat(child).hasNotFailed());
			assertThat(parent.getBean(Redlock.class).isClosed()).isFalse();
			assertThat(other(parent)).isTrue();
		});
	}

	private static boolean other(ApplicationContext context) {
		return context.getBean(RedLockTemplate.class).tryAcquire(WORK).map((lease) -> {
			lease.close();
			return true;
		}).orElse(false);
	}

	private static CompletableFuture<Void> runOnItsOwnThread(Runnable action) {
		return CompletableFuture.runAsync(action, (run) -> new Thread(run).start());
	}

	enum Kind {

		OWN_THREAD((context, work) -> {
			Worker worker = context.getBean(Worker.class);
			new Thread(() -> worker.run(work)).start();
		}),

		POOL_THAT_IS_DRAINED_IN_PRE_DESTROY((context, work) -> context.getBean(Pool.class).submit(work)),

		ASYNC_BEYOND_THE_GRACE_PERIOD((context, work) -> context.getBean(Worker.class).async(work)),

		SCHEDULED_BEYOND_THE_GRACE_PERIOD((context, work) -> {
			Worker worker = context.getBean(Worker.class);
			context.getBean(ThreadPoolTaskScheduler.class).schedule(() -> worker.run(work), Instant.EPOCH);
		}),

		LISTENER_CONTAINER_BEYOND_THE_GRACE_PERIOD(
				(context, work) -> context.getBean(ListenerContainer.class).receive(work)),

		FUTURE((context, work) -> context.getBean(Worker.class).future(work)),

		MONO((context, work) -> context.getBean(Worker.class).mono(work).subscribe()),

		CALLBACK_OF_THE_TEMPLATE((context, work) -> {
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			new Thread(() -> template.execute(WORK, (lease) -> work.run())).start();
		}),

		ASYNCHRONOUS_CALLBACK((context, work) -> context.getBean(RedLockTemplate.class).executeAsync(WORK, (lease) -> {
			work.began.countDown();
			return work.ended;
		})),

		LEASE_THAT_CODE_HOLDS((context, work) -> {
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			new Thread(() -> {
				Lease lease = template.acquire(WORK);
				work.run();
				lease.close();
			}).start();
		}),

		LOCK_OF_THE_JDK((context, work) -> {
			RedlockLocks locks = context.getBean(RedlockLocks.class);
			new Thread(() -> {
				locks.get("work").lock();
				work.run();
				locks.get("work").unlock();
			}).start();
		});

		private final BiConsumer<ApplicationContext, Work> start;

		Kind(BiConsumer<ApplicationContext, Work> start) {
			this.start = start;
		}

	}

	/** Work that ignores interrupts. */
	static class Work {

		private final CountDownLatch began = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		private final CompletableFuture<Void> ended = new CompletableFuture<>();

		boolean run() {
			this.began.countDown();
			while (this.end.getCount() > 0) {
				try {
					this.end.await();
				}
				catch (InterruptedException ex) {
					// The work goes on.
				}
			}
			return true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Application {

		@Bean
		DefaultLifecycleProcessor lifecycleProcessor() {
			DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
			processor.setTimeoutPerShutdownPhase(200);
			return processor;
		}

		@Bean
		Worker worker() {
			return new Worker();
		}

		@Bean
		Pool pool(Worker worker) {
			return new Pool(worker);
		}

		@Bean
		ListenerContainer listenerContainer(Worker worker) {
			return new ListenerContainer(worker);
		}

		@Bean
		Losses losses() {
			return new Losses();
		}

		@Bean
		ThreadPoolTaskExecutor taskExecutor() {
			return new ThreadPoolTaskExecutor();
		}

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return new ThreadPoolTaskScheduler();
		}

	}

	static class Worker {

		@RedLock("work")
		public void run(Work work) {
			work.run();
		}

		@Async
		@RedLock("work")
		public void async(Work work) {
			work.run();
		}

		@RedLock("work")
		public CompletableFuture<Void> future(Work work) {
			work.began.countDown();
			return work.ended;
		}

		@RedLock("work")
		public Mono<Void> mono(Work work) {
			return Mono.fromFuture(() -> {
				work.began.countDown();
				return work.ended;
			});
		}

	}

	/** A bean that drains its executor, as careful people do. */
	static class Pool {

		private final ExecutorService threads = Executors.newSingleThreadExecutor();

		private final CountDownLatch draining = new CountDownLatch(1);

		private final Worker worker;

		Pool(Worker worker) {
			this.worker = worker;
		}

		void submit(Work work) {
			this.threads.execute(() -> this.worker.run(work));
		}

		@PreDestroy
		void drain() throws InterruptedException {
			this.threads.shutdown();
			this.draining.countDown();
			this.threads.awaitTermination(BOUND.toSeconds(), TimeUnit.SECONDS);
		}

	}

	/** Listens with threads of its own, and stops when its messages have been handled. */
	static class ListenerContainer implements SmartLifecycle {

		private final ExecutorService threads = Executors.newSingleThreadExecutor();

		private final Worker worker;

		private volatile boolean running;

		ListenerContainer(Worker worker) {
			this.worker = worker;
		}

		void receive(Work work) {
			this.threads.execute(() -> this.worker.run(work));
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			throw new UnsupportedOperationException("Spring calls stop with a callback");
		}

		@Override
		public void stop(Runnable callback) {
			this.running = false;
			this.threads.execute(callback);
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@PreDestroy
		void destroy() {
			this.threads.shutdown();
		}

	}

	/** A bean with an unnamed bean inside. */
	static class Outer {

		private final Queue<String> sold = new ConcurrentLinkedQueue<>();

		private Inner inner;

		public void setInner(Inner inner) {
			this.inner = inner;
		}

		@PreDestroy
		void sellTheRest() {
			this.sold.add(this.inner.sell());
		}

	}

	static class Inner {

		@RedLock("stock")
		public String sell() {
			return "under the lock";
		}

	}

	/** A bean that holds a lock from its creation until it is destroyed. */
	static class HoldsForLife {

		private final Lease lease;

		private final AtomicBoolean validWhenDestroyed;

		HoldsForLife(RedLockTemplate template, AtomicBoolean validWhenDestroyed) {
			this.lease = template.acquire(WORK);
			this.validWhenDestroyed = validWhenDestroyed;
		}

		@PreDestroy
		void release() {
			this.validWhenDestroyed.set(this.lease.isValid());
			this.lease.close();
		}

	}

	static class FailingServer implements SmartLifecycle {

		@Override
		public void start() {
			throw new IllegalStateException("The port is in use");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

	/** A bean that writes a last state under the lock. */
	static class LastWriter {

		private final Queue<String> written = new ConcurrentLinkedQueue<>();

		private final RedLockTemplate template;

		LastWriter(RedLockTemplate template) {
			this.template = template;
		}

		@PreDestroy
		void write() {
			this.template.execute("state", Duration.ofSeconds(5), (lease) -> this.written.add("under the lock"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLock {

		@Bean
		Needed needed() {
			return new Needed();
		}

		@Bean
		LockNodes lockNodes() {
			return LockNodes.of(List.of(new InMemoryNode("a", Ticker.SYSTEM)));
		}

		@Bean
		@DependsOn("needed")
		Redlock ownLock(LockNodes lockNodes, Needed needed) {
			Redlock lock = Redlock.over(lockNodes.list()).loop(lockNodes.loop()).callbacks(Runnable::run).build();
			needed.neededBy(lock);
			return lock;
		}

	}

	/** A bean with a locked method on which the lock depends. */
	static class Needed {

		private volatile Redlock lock;

		private volatile boolean destroyedAfterTheLock;

		@RedLock("needed")
		public void run() {
		}

		void neededBy(Redlock needing) {
			this.lock = needing;
		}

		boolean isDestroyedAfterTheLock() {
			return this.destroyedAfterTheLock;
		}

		@PreDestroy
		void destroyed() {
			this.destroyedAfterTheLock = this.lock.isClosed();
		}

	}

	static class Losses implements RedlockListener {

		private final Queue<LossReason> told = new ConcurrentLinkedQueue<>();

		@Override
		public void leaseLost(Lease lease, LossReason reason) {
			this.told.add(reason);
		}

	}

}
