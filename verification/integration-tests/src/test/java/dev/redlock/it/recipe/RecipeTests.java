package dev.redlock.it.recipe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.spring.job.RedlockJobEvent;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Each recipe runs on two instances, and no tick runs twice.
 */
class RecipeTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final int TICKS = 3;

	private final RedisNodes nodes = RedisNodes.start(3);

	private final Deque<AutoCloseable> running = new ArrayDeque<>();

	private final Work work = new Work();

	@AfterEach
	void stop() throws Exception {
		stopInstances();
		this.nodes.close();
	}

	@Test
	void eachTickOfADynamicScheduleRunsOnOneInstance() throws Exception {
		scheduleOnPool();
		scheduleOnPool();
		awaitTicksOf("poll");
	}

	@Test
	void eachTickOfQuartzInMemoryRunsOnOneInstance() throws Exception {
		Instant begin = Instant.now();
		quartz("one", begin);
		quartz("two", begin);
		awaitTicksOf("report");
	}

	/**
	 * Returns the number of ticks of a job after both instances have ended.
	 */
	private int awaitTicksOf(String job) throws Exception {
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> ticksOf(job).size() >= TICKS);
		stopInstances();
		assertThat(ticksOf(job)).doesNotHaveDuplicates();
		return ticksOf(job).size();
	}

	private List<Run> ticksOf(String job) {
		return this.work.runs.stream().filter((run) -> run.job().equals(job)).toList();
	}

	private void stopInstances() throws Exception {
		while (!this.running.isEmpty()) {
			this.running.pop().close();
		}
	}

	private ConfigurableApplicationContext start(String... properties) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("redlock.restart-guard.enabled=false", "spring.task.scheduling.shutdown.await-termination=true")
			.properties(properties)
			.initializers((GenericApplicationContext context) -> context.registerBean(Work.class, () -> this.work));
		for (RedisNode node : this.nodes.asList()) {
			builder.properties("redlock.instances." + node.name() + ".host=" + node.host(),
					"redlock.instances." + node.name() + ".port=" + node.port());
		}
		ConfigurableApplicationContext instance = builder.run();
		this.running.push(instance);
		return instance;
	}

	private OncePerTick ticks() {
		return new OncePerTick(start().getBean(RedLockOperations.class)) {
			@Override
			void run(String job, Instant due, Duration interval, Runnable task) {
				super.run(job, due, interval, () -> {
					RecipeTests.this.work.runs.add(new Run(job, due));
					task.run();
				});
			}
		};
	}

	private void schedule(TaskScheduler scheduler, AutoCloseable end) {
		OncePerTick ticks = ticks();
		this.running.push(end);
		ticks.schedule(scheduler, "poll", SECOND, () -> {
		});
	}

	private void scheduleOnPool() {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setWaitForTasksToCompleteOnShutdown(true);
		scheduler.initialize();
		schedule(scheduler, scheduler::shutdown);
	}

	private void quartz(String name, Instant begin) throws SchedulerException {
		OncePerTick ticks = ticks();
		Properties properties = new Properties();
		properties.setProperty("org.quartz.scheduler.instanceName", name);
		properties.setProperty("org.quartz.threadPool.threadCount", "1");
		Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
		scheduler.setJobFactory((bundle, owner) -> new QuartzReport(ticks, () -> {
		}));
		this.running.push(() -> scheduler.shutdown(true));
		scheduler.scheduleJob(org.quartz.JobBuilder.newJob(QuartzReport.class).build(),
				TriggerBuilder.newTrigger()
					.startAt(Date.from(begin))
					.withSchedule(SimpleScheduleBuilder.repeatSecondlyForever())
					.build());
		scheduler.start();
	}

	private record Run(String job, Instant due) {

	}

	/**
	 * What both instances do together.
	 */
	static class Work {

		private final List<Run> runs = new CopyOnWriteArrayList<>();

		@EventListener
		void onJob(RedlockJobEvent event) {
			if (event.outcome() == Outcome.SUCCEEDED) {
				this.runs.add(new Run(event.job(), event.due()));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		ScheduledRecipes recipes() {
			return new ScheduledRecipes(mock(JobOperator.class), mock(Job.class),
					mock(IncompleteEventPublications.class));
		}

	}

}
