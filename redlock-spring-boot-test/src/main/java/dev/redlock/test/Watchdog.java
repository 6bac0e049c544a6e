package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a Redis server when this JVM has ended, for whatever reason.
 * <p>
 * A shell process waits for the end of its input, which is a pipe from this JVM. The
 * operating system closes the pipe when the JVM ends, even after {@code kill -9}. A
 * shutdown hook would not run after {@code kill -9}. A shutdown hook would also run at
 * the same time as Spring's hook, and end the servers before Spring releases the locks.
 */
final class Watchdog {

	/**
	 * The prefix of commands that must not receive Ctrl-C from the terminal. With the
	 * prefix, only this JVM receives Ctrl-C, and can release its locks before the servers
	 * end. The prefix is empty on systems without {@code setsid}, such as macOS.
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
		// The watchdog ends with the server, because the system may then give the
		// server's process id to another process. The callback also protects the
		// watchdog and its pipe from garbage collection.
		server.onExit().thenRun(watchdog::destroyForcibly);
	}

}
