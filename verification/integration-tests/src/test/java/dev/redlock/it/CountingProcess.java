package dev.redlock.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process whose threads add to a number in a file, with the lock or without. Arguments:
 * file, "locked" or "unlocked", increments per thread, then properties.
 */
final class CountingProcess {

	static final int THREADS = 8;

	private static final LockRequest COUNTER = LockRequest.of("counter")
		.withTtl(Duration.ofSeconds(10))
		.withWaitFor(Duration.ofMinutes(3))
		.withRetryDelay(Duration.ofMillis(10));

	private CountingProcess() {
	}

	public static void main(String[] args) throws Exception {
		Path file = Path.of(args[0]);
		boolean locked = args[1].equals("locked");
		int increments = Integer.parseInt(args[2]);
		try (ConfigurableApplicationContext context = HoldingProcess.start(Arrays.copyOfRange(args, 3, args.length))) {
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			System.out.println("ready");
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				all.add(threads.submit((Callable<?>) () -> count(file, locked, increments, template)));
			}
			for (Future<?> one : all) {
				one.get();
			}
			threads.shutdown();
			System.out.println("counted");
		}
	}

	private static int count(Path file, boolean locked, int increments, RedLockTemplate template) throws IOException {
		for (int i = 0; i < increments; i++) {
			if (locked) {
				template.execute(COUNTER, (lease) -> increment(file));
			}
			else {
				increment(file);
			}
		}
		return increments;
	}

	private static int increment(Path file) throws IOException {
		String text = Files.readString(file);
		// Without the lock somebody may read while the file is being written.
		int next = (text.isBlank() ? 0 : Integer.parseInt(text.trim())) + 1;
		Files.writeString(file, Integer.toString(next));
		return next;
	}

}
