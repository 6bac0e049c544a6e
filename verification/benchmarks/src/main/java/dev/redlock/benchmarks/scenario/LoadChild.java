package dev.redlock.benchmarks.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.SharedCounter;

/**
 * A process that puts loads on locks that other processes want as well. Its input are
 * {@code open contender max-ttl-millis ports} and
 * {@code run contender key threads millis start-at-millis hold-millis}; each is answered
 * by a line.
 */
final class LoadChild {

	private final Map<Library, Contender> contenders = new EnumMap<>(Library.class);

	private final SharedCounter counter;

	private LoadChild(SharedCounter counter) {
		this.counter = counter;
	}

	/**
	 * Argument: the file of the counter.
	 */
	public static void main(String[] args) throws IOException {
		LoadChild child = new LoadChild(SharedCounter.open(Path.of(args[0])));
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			System.out.println(child.answer(line.split(" ")));
		}
		child.contenders.values().forEach(Contender::close);
		// Not every library ends all of its threads.
		System.exit(0);
	}

	static String open(Library library, Duration maxTtl, List<Integer> ports) {
		return String.join(" ", "open", library.label(), Long.toString(maxTtl.toMillis()),
				ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
	}

	static String run(Library library, Load load, long startAtMillis) {
		return String.join(" ", "run", library.label(), load.key(), Integer.toString(load.threads()),
				Long.toString(load.millis()), Long.toString(startAtMillis));
	}

	private String answer(String[] words) {
		Library library = Library.named(words[1]);
		return words[0].equals("open") ? open(library, words) : run(library, words);
	}

	private String open(Library library, String[] words) {
		List<Integer> ports = Arrays.stream(words[3].split(",")).map(Integer::valueOf).toList();
		Terms terms = Terms.under(Duration.ofMillis(Long.parseLong(words[2])));
		this.contenders.put(library, library.open(ports, terms));
		return "opened";
	}

	private String run(Library library, String[] words) {
		Contender contender = this.contenders.get(library);
		if (contender == null) {
			throw new IllegalStateException(library.label() + " was not opened");
		}
		Load load = new Load(words[2], true, Integer.parseInt(words[3]), Long.parseLong(words[4]));
		return load.run(contender, this.counter::increment, Long.parseLong(words[5])).encode();
	}

}
