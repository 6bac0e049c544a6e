package dev.redlock.it.jpa;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * A process that sells from a stock in a database, under a lock with a ttl of a second.
 * Arguments: URL of the database, storage, "fenced" or "plain", the least sales per
 * thread, or 0 for one late sale, then properties. It sells until it is told to stop.
 */
final class StockProcess implements AutoCloseable {

	static final int THREADS = 8;

	private static final Duration TTL = Duration.ofSeconds(1);

	private static final LockRequest LOCK = LockRequest.of("stock:sneaker")
		.withWaitFor(Duration.ofMinutes(3))
		.withRetryDelay(Duration.ofMillis(10));

	private final Stock stock;

	private final ConfigurableApplicationContext context;

	private final RedLockTemplate template;

	private final LongAdder sold = new LongAdder();

	private final LongAdder refused = new LongAdder();

	private volatile boolean enough;

	StockProcess(Stock stock, String... properties) {
		this.stock = stock;
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).run(properties);
		this.template = this.context.getBean(RedLockTemplate.class);
	}

	public static void main(String[] args) throws Exception {
		int sales = Integer.parseInt(args[3]);
		try (StockProcess process = new StockProcess(Stock.open(args[1], args[2].equals("fenced"), args[0]),
				Arrays.copyOfRange(args, 4, args.length))) {
			System.out.println((sales > 0) ? process.sell(sales) : "late sale " + process.sellLate());
		}
	}

	/**
	 * Takes the lock, and keeps it while the action runs.
	 */
	<T> T locked(Duration ttl, Callable<T> action) throws Exception {
		return this.template.execute(LOCK.withTtl(ttl), (lease) -> action.call());
	}

	void sellOne() {
		this.stock.sellOne();
	}

	private String sellLate() {
		List<String> outcome = new ArrayList<>();
		try {
			locked(TTL, () -> {
				System.out.println("locked");
				// Can only read on when the process is not stopped.
				new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
				try {
					sellOne();
					return outcome.add("written");
				}
				catch (ConcurrencyFailureException ex) {
					return outcome
						.add("refused: " + NestedExceptionUtils.getMostSpecificCause(ex).getClass().getSimpleName());
				}
			});
		}
		catch (LockLostException ex) {
			outcome.add("told of the loss");
		}
		catch (Exception ex) {
			outcome.add(ex.toString());
		}
		return outcome.toString();
	}

	private String sell(int least) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		List<Future<?>> all = new ArrayList<>();
		System.out.println("selling");
		for (int i = 0; i < THREADS; i++) {
			all.add(threads.submit(() -> sellAtLeast(least)));
		}
		new Scanner(System.in, StandardCharsets.UTF_8).nextLine();
		this.enough = true;
		for (Future<?> one : all) {
			one.get();
		}
		threads.shutdown();
		return "sold " + this.sold + " refused " + this.refused;
	}

	private Void sellAtLeast(int sales) throws Exception {
		int[] sold = { 0 };
		while (sold[0] < sales || !this.enough) {
			try {
				locked(TTL, () -> {
					sellOne();
					this.sold.increment();
					return sold[0]++;
				});
			}
			catch (LockLostException | LockNotAcquiredException ex) {
				// A loss is told after the commit, so the sale may have been counted.
			}
			catch (ConcurrencyFailureException ex) {
				this.refused.increment();
			}
		}
		return null;
	}

	@Override
	public void close() {
		this.context.close();
		this.stock.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
