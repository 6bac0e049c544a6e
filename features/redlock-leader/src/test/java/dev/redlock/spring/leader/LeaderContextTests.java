package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import dev.redlock.spring.autoconfigure.RedlockReactiveAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderContextTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class, TaskExecutionAutoConfiguration.class,
				RedlockAutoConfiguration.class, RedlockReactiveAutoConfiguration.class,
				RedlockAnnotationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class));

	@Test
	void twoLocksAndAMeterRegistryStart() {
		LockWorld one = new LockWorld();
		LockWorld two = new LockWorld();
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("one", Redlock.class, () -> one.redlock)
			.withBean("two", Redlock.class, () -> two.redlock)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	/** As a context of its own for each tenant, or the management context. */
	@Test
	void aChildContextThatIsClosedResigns() {
		this.runner.withPropertyValues("redlock.enabled=false").run((parent) -> {
			LeaderRole role = parent.getBean(LeaderTemplate.class).role("importer");
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(parent);
				child.register(RedlockAnnotationAutoConfiguration.class, RedlockLeaderAutoConfiguration.class,
						LeaderMistakes.Fine.class);
				child.refresh();
				Awaitility.await().atMost(Duration.ofSeconds(30)).until(role::isLeader);
				child.stop();
				assertThat(role.isLeader()).isFalse();
				child.start();
				Awaitility.await().atMost(Duration.ofSeconds(30)).until(role::isLeader);
			}
			assertThat(role.isLeader()).isFalse();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> parent.getBean(Redlock.class).leases().isEmpty());
		});
	}

	@Test
	void aChildContextIsToldThatThisProcessLeads() {
		this.runner.withPropertyValues("redlock.enabled=false").run((parent) -> {
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				List<Object> told = new CopyOnWriteArrayList<>();
				child.setParent(parent);
				child.addApplicationListener(
						ApplicationListener.forPayload((LeaderGrantedEvent event) -> told.add(event.role())));
				child.refresh();
				parent.getBean(LeaderTemplate.class).join("importer");
				Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !told.isEmpty());
			}
		});
	}

	@Test
	void aProcessWithLazyInitializationLeadsBeforeTheFirstCall() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withBean(LeaderMistakes.Fine.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> context.getBean(LeaderTemplate.class).role("importer").isLeader()));
	}

	@Test
	void theGaugeIsThereWithLazyInitialization() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(LeaderTemplate.class).join("importer");
				assertThat(context.getBean(MeterRegistry.class).find("redlock.leader").gauge()).isNotNull();
			});
	}

}
