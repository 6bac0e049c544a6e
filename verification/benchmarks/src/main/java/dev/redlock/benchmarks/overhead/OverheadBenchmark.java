package dev.redlock.benchmarks.overhead;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.util.concurrent.TimeUnit.MICROSECONDS;

/**
 * What the annotation costs over the template, and the template over the lock itself, on
 * nodes in memory: time and bytes for one lock and its release.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(MICROSECONDS)
@NullUnmarked
public class OverheadBenchmark {

	private static final int NODES = 5;

	private final Ticker ticker = Ticker.SYSTEM;

	private ConfigurableApplicationContext context;

	private Redlock redlock;

	private RedLockTemplate template;

	private Locked locked;

	/**
	 * Starts an application on nodes in memory.
	 */
	@Setup
	public void start() {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("logging.level.root=warn", "redlock.embedded.enabled=false")
			.run();
		this.redlock = this.context.getBean(Redlock.class);
		this.template = this.context.getBean(RedLockTemplate.class);
		this.locked = this.context.getBean(Locked.class);
	}

	/**
	 * Ends the application.
	 */
	@TearDown
	public void stop() {
		this.context.close();
	}

	/**
	 * What the nodes do for a lock, whoever asks them: each grants a claim and releases
	 * it.
	 * @return something to keep
	 */
	@Benchmark
	public long nodes() {
		Claim claim = new Claim(List.of("stock:43"), "token", Duration.ofSeconds(30));
		for (LockNode node : this.redlock.nodes()) {
			node.acquire(claim, this.ticker.epochMicros());
		}
		for (LockNode node : this.redlock.nodes()) {
			node.release(claim, Duration.ZERO, true);
		}
		return this.redlock.nodes().size();
	}

	/**
	 * The lock itself.
	 * @return something to keep
	 */
	@Benchmark
	public long lock() {
		try (var lease = this.redlock.attemptAndWait(LockRequest.of("stock:42")).orThrow()) {
			return lease.fence();
		}
	}

	/**
	 * The template.
	 * @return something to keep
	 */
	@Benchmark
	public long template() {
		return this.template.execute(LockRequest.of("stock:42"), (lease) -> lease.fence());
	}

	/**
	 * The annotation with a fixed name.
	 * @return something to keep
	 */
	@Benchmark
	public long annotation() {
		return this.locked.fixed();
	}

	/**
	 * The annotation with an expression.
	 * @return something to keep
	 */
	@Benchmark
	public long annotationWithExpression() {
		return this.locked.expression("42");
	}

	/**
	 * A service with locked methods.
	 */
	public static class Locked {

		/**
		 * Locks a fixed name.
		 * @return a number
		 */
		@RedLock("stock:42")
		public long fixed() {
			return 42;
		}

		/**
		 * Locks by a parameter.
		 * @param sku the parameter
		 * @return a number
		 */
		@RedLock("stock:#{#sku}")
		public long expression(String sku) {
			return sku.length();
		}

	}

	/**
	 * An application whose nodes are in memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

		@Bean
		Locked locked() {
			return new Locked();
		}

		@Bean(destroyMethod = "close", defaultCandidate = false)
		LockNodes nodes() {
			return LockNodes
				.of(IntStream.range(0, NODES).mapToObj((i) -> new InMemoryNode("n" + i, Ticker.SYSTEM)).toList());
		}

		@Bean
		Redlock redlock(@Qualifier("nodes") LockNodes nodes) {
			return Redlock.over(nodes.list()).loop(nodes.loop()).callbacks(Runnable::run).build();
		}

	}

}
