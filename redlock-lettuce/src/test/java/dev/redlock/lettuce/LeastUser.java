package dev.redlock.lettuce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

import io.lettuce.core.RedisURI;

/**
 * The user of the documentation, made from the line that is printed there.
 */
final class LeastUser {

	static final String NAME = "redlock";

	static final String PASSWORD = "secret";

	private static final Path PAGE = Path.of("../docs/production.md");

	private LeastUser() {
	}

	static String documentedLine() {
		try {
			return Files.readAllLines(PAGE)
				.stream()
				.filter((line) -> line.startsWith("ACL SETUSER "))
				.reduce((first, second) -> {
					throw new IllegalStateException("There are two lines");
				})
				.orElseThrow();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The rights in the line, without what it says of the user and without the command.
	 */
	static List<String> rights() {
		return List.of(documentedLine().split(" ")).stream().filter((word) -> word.matches("[+~&].*")).toList();
	}

	/**
	 * Makes the user with those rights that are wanted.
	 */
	static RedisURI make(RedisProcess redis, String prefix, Predicate<String> wanted) {
		redis.command(List.of(documentedLine().split(" "))
			.stream()
			.filter((word) -> !rights().contains(word) || wanted.test(word))
			.map((word) -> word.matches("[~&].*") ? word.replace("redlock:", prefix) : word)
			.toArray(String[]::new));
		return uri(redis);
	}

	static RedisURI make(RedisProcess redis, String prefix) {
		return make(redis, prefix, (right) -> true);
	}

	static RedisURI uri(RedisProcess redis) {
		return RedisURI.builder(redis.uri()).withAuthentication(NAME, PASSWORD.toCharArray()).build();
	}

}
