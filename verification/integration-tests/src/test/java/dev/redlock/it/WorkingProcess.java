package dev.redlock.it;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;
import jakarta.annotation.PreDestroy;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A process that is told when to begin, and works under a lock until the work is over.
 * Its first argument is "drained" for work in an executor that a destroy method drains,
 * "alone" for work in a thread that no bean knows, or "next" to lock once and to say
 * when; the second is how many milliseconds the work takes; the others are properties.
 */
final class WorkingProcess {

	private WorkingProcess() {
	}

	public static void main(String[] args) throws IOException {
		long millis = Long.parseLong(args[1]);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run(Arrays.copyOfRange(args, 2, args.length));
		LockedApplication.awaitReady(context);
		Pool pool = context.getBean(Pool.class);
		RedLockTemplate template = context.getBean(RedLockTemplate.class);
		System.out.println("ready");
		System.in.read();
		switch (args[0]) {
			case "drained" -> pool.threads.execute(() -> work(template, millis));
			case "alone" -> new Thread(() -> work(template, millis)).start();
			default -> next(context, template);
		}
	}

	private static void work(RedLockTemplate template, long millis) {
		template.execute(LockRequest.of("work").withOrigin("Shop.sell"), (lease) -> {
			System.out.println("working");
			long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
			while (System.nanoTime() - end < 0) {
				Thread.onSpinWait();
			}
			System.out.println("ended " + System.currentTimeMillis());
			return true;
		});
	}

	private static void next(ConfigurableApplicationContext context, RedLockTemplate template) {
		System.out.println("asking");
		template.execute(LockRequest.of("work").withWaitFor(Duration.ofMinutes(2)), (lease) -> {
			System.out.println("entered " + System.currentTimeMillis());
			return true;
		});
		context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Pool pool(RedLockTemplate template) {
			return new Pool(template);
		}

	}

	/**
	 * A bean that drains its executor, as careful people do.
	 */
	static class Pool {

		private final ExecutorService threads = Executors.newSingleThreadExecutor();

		Pool(RedLockTemplate template) {
		}

		@PreDestroy
		void drain() throws InterruptedException {
			this.threads.shutdown();
			this.threads.awaitTermination(1, TimeUnit.MINUTES);
		}

	}

}
