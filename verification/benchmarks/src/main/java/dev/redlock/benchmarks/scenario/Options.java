package dev.redlock.benchmarks.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.benchmarks.measure.Rounds;
import org.jspecify.annotations.Nullable;

/**
 * What a run is asked for on its command line.
 *
 * @param scenarios the names of the scenarios, empty for all
 * @param libraries the contenders that may take part
 * @param rounds how lanes are measured
 * @param maxTtl the longest ttl of the deployment
 * @param out the directory for tables and plots, if they are to be written
 */
public record Options(List<String> scenarios, Set<Library> libraries, Rounds rounds, Duration maxTtl,
		@Nullable Path out) {

	/**
	 * What can be said on the command line.
	 */
	public static final String USAGE = """
			compare [scenario ...] [--rounds 5] [--round-millis 1000] [--warm-up-millis 2000]
			        [--contenders floor,redlock,...] [--max-ttl-millis 30000]
			        [--out directory]
			New servers do not vote for one max-ttl: a small one saves that time.""";

	/**
	 * Reads the command line.
	 * @param arguments what follows the name of the command
	 * @return the options
	 */
	public static Options parse(List<String> arguments) {
		Reader reader = new Reader(new ArrayList<>(arguments));
		Rounds rounds = new Rounds(reader.number("--rounds", 5), reader.number("--round-millis", 1_000),
				reader.number("--warm-up-millis", 2_000));
		Set<Library> libraries = Arrays.stream(reader.text("--contenders", all()).split(","))
			.map(Library::named)
			.collect(Collectors.toCollection(() -> EnumSet.noneOf(Library.class)));
		Duration maxTtl = Duration.ofMillis(reader.number("--max-ttl-millis", 30_000));
		String out = reader.text("--out", "");
		return new Options(reader.rest(), libraries, rounds, maxTtl, out.isEmpty() ? null : Path.of(out));
	}

	/**
	 * What all contenders are given alike.
	 * @return the terms
	 */
	public Terms terms() {
		return Terms.under(this.maxTtl);
	}

	/**
	 * Those who may take part.
	 * @param wanted whom a scenario would like
	 * @return those of them that were not left out, in their order
	 */
	List<Library> among(Set<Library> wanted) {
		return this.libraries.stream().filter(wanted::contains).toList();
	}

	private static String all() {
		return Arrays.stream(Library.values()).map(Library::label).collect(Collectors.joining(","));
	}

	/**
	 * Takes options out of the words, wherever they are.
	 *
	 * @param words what is left
	 */
	record Reader(List<String> words) {

		String text(String option, String otherwise) {
			int place = this.words.indexOf(option);
			if (place < 0) {
				return otherwise;
			}
			if (place + 1 == this.words.size()) {
				throw new IllegalArgumentException(option + " needs a value");
			}
			this.words.remove(place);
			return this.words.remove(place);
		}

		int number(String option, int otherwise) {
			String text = text(option, Integer.toString(otherwise));
			try {
				int number = Integer.parseInt(text);
				if (number > 0) {
					return number;
				}
			}
			catch (NumberFormatException ex) {
				// Told below, as a number that is too small is.
			}
			throw new IllegalArgumentException(option + " needs a whole number from 1, not " + text);
		}

		List<String> rest() {
			for (String word : this.words) {
				if (word.startsWith("-")) {
					throw new IllegalArgumentException("There is no option " + word);
				}
			}
			return List.copyOf(this.words);
		}

	}

}
