package dev.redlock.benchmarks.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;

/**
 * A process with one thread for each contender that waits for a lock which somebody else
 * holds. Its input are {@code open contender max-ttl-millis patience-millis ports},
 * {@code wait}, and {@code when contender}, which is answered by the time at which the
 * lock was acquired.
 */
final class WaiterChild {

	private final Map<Library, Contender> contenders = new EnumMap<>(Library.class);

	private final Map<Library, CompletableFuture<Long>> acquired = new EnumMap<>(Library.class);

	private WaiterChild() {
	}

	public static void main(String[] args) throws IOException {
		WaiterChild child = new WaiterChild();
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			System.out.println(child.answer(line.split(" ")));
		}
		System.exit(0);
	}

	static String open(Library library, Terms terms, List<Integer> ports) {
		return String.join(" ", "open", library.label(), Long.toString(terms.maxTtl().toMillis()),
				Long.toString(terms.patience().toMillis()),
				ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
	}

	private String answer(String[] words) {
		return switch (words[0]) {
			case "open" -> open(words);
			case "wait" -> startWaiting();
			default -> when(Library.named(words[1]));
		};
	}

	private String open(String[] words) {
		Library library = Library.named(words[1]);
		Terms terms = Terms.under(Duration.ofMillis(Long.parseLong(words[2])))
			.forLongHolds(Duration.ofMillis(Long.parseLong(words[3])));
		List<Integer> ports = Arrays.stream(words[4].split(",")).map(Integer::valueOf).toList();
		this.contenders.put(library, library.open(ports, terms));
		return "opened";
	}

	private String startWaiting() {
		List<Thread> threads = new ArrayList<>();
		this.contenders.forEach((library, contender) -> {
			CompletableFuture<Long> when = new CompletableFuture<>();
			this.acquired.put(library, when);
			threads.add(new Thread(() -> {
				try {
					if (!contender.withLock(IdleWaiters.LOCK, () -> when.complete(System.currentTimeMillis()))) {
						when.complete(Long.MAX_VALUE);
					}
				}
				catch (RuntimeException ex) {
					when.completeExceptionally(ex);
				}
			}, "waiter-" + library.label()));
		});
		threads.forEach((thread) -> thread.setDaemon(true));
		threads.forEach(Thread::start);
		return "waiting";
	}

	private String when(Library library) {
		CompletableFuture<Long> when = this.acquired.get(library);
		return Long.toString((when != null) ? when.join() : Long.MAX_VALUE);
	}

}
