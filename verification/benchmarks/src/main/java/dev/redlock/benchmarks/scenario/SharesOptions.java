package dev.redlock.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.redlock.benchmarks.contender.Terms;

/**
 * What a measurement of shares is asked for on its command line.
 *
 * @param jvms how many processes of this library want the lock
 * @param threads how many threads of each
 * @param servers how many servers, 3 or 5
 * @param holdsMillis how long each lock is held, one measurement for each
 * @param seconds how long one measurement takes
 * @param runs how often each is repeated
 * @param nodeRedlock whether a client of node-redlock takes part
 * @param maxTtl the longest ttl of the deployment
 */
public record SharesOptions(int jvms, int threads, int servers, List<Integer> holdsMillis, int seconds, int runs,
		boolean nodeRedlock, Duration maxTtl) {

	/**
	 * Checks the number of servers.
	 */
	public SharesOptions {
		holdsMillis = List.copyOf(holdsMillis);
		if (servers != Site.THREE.servers() && servers != Site.MAIN.servers()) {
			throw new IllegalArgumentException("--servers is 3 or 5, not " + servers);
		}
	}

	/**
	 * Reads the command line.
	 * @param arguments what follows the name of the command
	 * @return the options
	 */
	public static SharesOptions parse(List<String> arguments) {
		Options.Reader reader = new Options.Reader(new ArrayList<>(arguments));
		SharesOptions options = new SharesOptions(reader.number("--jvms", 2), reader.number("--threads", 1),
				reader.number("--servers", 5), numbers(reader.text("--holds", "3,10,20,40,100")),
				reader.number("--seconds", 10), reader.number("--runs", 1),
				reader.text("--node-redlock", "no").equals("yes"),
				Duration.ofMillis(reader.number("--max-ttl-millis", 60_000)));
		if (!reader.rest().isEmpty()) {
			throw new IllegalArgumentException("shares does not know " + reader.rest());
		}
		return options;
	}

	Site site() {
		return (this.servers == Site.THREE.servers()) ? Site.THREE : Site.MAIN;
	}

	Terms terms() {
		return Terms.under(this.maxTtl);
	}

	private static List<Integer> numbers(String text) {
		try {
			return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("--holds needs whole numbers with commas between, not " + text, ex);
		}
	}

}
