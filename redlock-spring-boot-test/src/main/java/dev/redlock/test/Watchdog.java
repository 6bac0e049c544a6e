package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a Redis server when this JVM has ended, even after {@code kill -9}. A shell
 * process waits until the operating system closes its input, which is a pipe from this
 * JVM. A shutdown hook would not run after {@code kill -9}, and might end the servers
 * before Spring has released the locks.
 */
final class Watchdog {

	/**
	 * The command prefix that keeps Ctrl-C away from a server, so that this JVM can
	 * release its locks before the server ends. This command prefix is empty on systems
	 * without {@code setsid}, such as macOS.
	 */
	static final List<String> OWN_SESSION = RedisBinary.find("setsid", System.getenv("PATH"))
		.map(Path::toString)
		.map(List::of)
		.orElse(List.of());

	private static final String SCRIPT = "trap '' HUP INT TERM; read -r end; kill -9 \"$1\"; rm -rf \"$2\"";

	private Watchdog() {
	}

	static void guard(Process server, Path directory) throws IOException {
		List<String> command = new ArrayList<>(OWN_SESSION);
		command.addAll(List.of("sh", "-c", SCRIPT, "watchdog", Long.toString(server.pid()), directory.toString()));
		Process watchdog = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		// The watchdog ends with the server, because the watchdog could later kill
		// another process with the same id. This callback refers to the watchdog, so that
		// the pipe to the watchdog is not garbage-collected.
		server.onExit().thenRun(watchdog::destroyForcibly);
	}

}
