package dev.redlock.spring.internal.read;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.internal.call.LockInvoker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every return type is either held to its end or refused at start, as the table of the
 * documentation says of those that it names.
 */
class ReturnTypeTests {

	private static final Path PAGE = Path.of("..", "docs", "annotation.md");

	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	/** The types that the page does not name, as rows. */
	private static final List<String> OTHERS = List.of(
			"| `int`, `Page`, `void`, `String`, `Optional`, `Object` | until the method returns |",
			"| `Publisher`, `Flow.Publisher`, `Flowable`, `Observable`, `Single`, `Maybe`, `Completable`, `Deferred`"
					+ " | until the publisher completes |",
			"| `FutureTask`, `IntStream`, `LongStream`, `DoubleStream`, `BaseStream`, `Runnable`, `Function0`,"
					+ " `Spliterator`, `Iterator`, `Callable`, `StreamingResponseBody`, `ResponseEntity<Flux>`, `Sequence`, `Job`, `WebAsyncTask`, `ResponseBodyEmitter`, `ServerResponse`,"
					+ " `Optional<Stream>`, `CompletableFuture<Stream>`, `Mono<Iterator>`,"
					+ " `ResponseEntity<CompletableFuture>`, `ResponseEntity<Single>` | refused at start |");

	private final SpecReading reading = new SpecReading(Map.of());

	@ParameterizedTest(name = "{0}")
	@MethodSource("methods")
	void returnTypeIsHeldOrRefusedAsTheDocumentationSays(String name, Method method) throws IOException {
		String outcome = outcome(method);
		System.out.println(name + ": " + outcome);
		List<String> rows = rows().stream().filter((row) -> names(row).contains(name)).toList();
		assertThat(rows).as("rows of the table that name %s, which is %s", name, outcome).hasSize(1);
		assertThat(rows.get(0)).contains(outcome);
	}

	@Test
	void documentationNamesNoOtherReturnType() throws IOException {
		List<String> known = methods().map((arguments) -> (String) arguments[0]).toList();
		assertThat(rows().stream().flatMap((row) -> names(row).stream())).isSubsetOf(known).doesNotHaveDuplicates();
	}

	static Stream<Object[]> methods() {
		return Stream.of(ReturnTypes.class.getDeclaredMethods()).map((method) -> new Object[] { name(method), method });
	}

	private String outcome(Method method) {
		LockInvoker invoker;
		try {
			invoker = this.reading.spec(method.getDeclaringClass(), method.getName()).invoker();
		}
		catch (InvalidRedLockException ex) {
			return "refused at start";
		}
		return switch (invoker.getClass().getSimpleName()) {
			case "BlockingLockInvoker" -> "until the method returns";
			case "FutureLockInvoker" -> "until the stage completes";
			case "ReactiveLockInvoker" -> "until the publisher completes";
			default -> throw new AssertionError(invoker);
		};
	}

	/**
	 * The type without packages, and without type arguments that do not matter.
	 */
	private static String name(Method method) {
		return ResolvableType.forMethodReturnType(method)
			.toString()
			.replaceAll("[\\w.]+\\.(\\w+)", "$1")
			.replace("Flow$Publisher", "Flow.Publisher")
			.replaceAll("<(String|String, \\?|\\?, \\?)>", "");
	}

	private static List<String> rows() throws IOException {
		List<String> page = Files.readAllLines(PAGE);
		int start = page.indexOf("## Return types");
		List<String> rows = new ArrayList<>(OTHERS);
		for (String line : page.subList(start, page.size())) {
			if (line.startsWith("## Nested")) {
				return rows;
			}
			if (line.startsWith("| ")) {
				rows.add(line);
			}
		}
		return rows;
	}

	/**
	 * The types in the first column.
	 */
	private static List<String> names(String row) {
		Matcher matcher = NAME.matcher(row.substring(0, row.indexOf('|', 1)));
		return matcher.results().map((result) -> result.group(1)).toList();
	}

}
