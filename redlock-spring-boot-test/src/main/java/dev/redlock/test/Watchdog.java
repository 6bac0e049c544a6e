package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a server when this JVM has ended for any reason.
 * <p>
 * A shell waits for the end of its input, which is a pipe from this JVM. The operating
 * system closes the pipe after a normal exit, after SIGTERM and after {@code kill -9}. A
 * shutdown hook would not run after {@code kill -9}. A shutdown hook would also run at
 * the same time as the hook of Spring, and end the nodes before the locks are released.
 */
final class Watchdog {

	/**
	 * The prefix of a command that must not get Ctrl-C from the terminal. With the
	 * prefix, only this JVM gets Ctrl-C, and releases its locks before it closes the
	 * nodes. The prefix is empty on systems without {@code setsid}, such as macOS.
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
		// The system may reuse the process number of the server after its end. The
		// reference to the process also protects the watchdog and its pipe from garbage
		// collection.
		server.onExit().thenRun(watchdog::destroyForcibly);
	}

}
