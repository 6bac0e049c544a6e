package dev.redlock.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes of eight threads each add to one number in a file. More increments:
 * {@code -Dredlock.it.increments=20000}.
 */
class SharedCounterTests {

	private static final int INCREMENTS = Integer.getInteger("redlock.it.increments", 800);

	@AutoClose
	private static final RedisNodes nodes = RedisNodes.start(5);

	@TempDir
	private Path directory;

	@Test
	void underTheLockNoIncrementIsLost() throws Exception {
		assertThat(count("locked")).isEqualTo(INCREMENTS);
	}

	@Test
	@Tag("slow")
	void withoutTheLockSomeAreLost() throws Exception {
		// Two writes at once may also leave the digits of both.
		assertThat(count("unlocked")).isNotEqualTo(INCREMENTS);
	}

	private int count(String mode) throws IOException, InterruptedException {
		Path file = this.directory.resolve("counter-" + mode);
		Files.writeString(file, "0");
		int each = INCREMENTS / (2 * CountingProcess.THREADS);
		String[] arguments = Stream
			.concat(Stream.of(file.toString(), mode, Integer.toString(each)), Stream.of(ShutdownTests.arguments(nodes)))
			.toArray(String[]::new);
		try (ChildProcess first = ChildProcess.start(CountingProcess.class, arguments);
				ChildProcess second = ChildProcess.start(CountingProcess.class, arguments)) {
			first.await("counted");
			second.await("counted");
			assertThat(first.awaitEnd()).isZero();
			assertThat(second.awaitEnd()).isZero();
		}
		return Integer.parseInt(Files.readString(file));
	}

}
