package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a server when this JVM is gone, however it went.
 * <p>
 * A shell waits for the end of its input, which is a pipe from this JVM: the operating
 * system closes it after a normal exit, after SIGTERM and after {@code kill -9} alike. A
 * shutdown hook would miss the last, and would run at the same time as Spring's own: the
 * nodes would be gone before the locks are released.
 */
final class Watchdog {

	private static final String SCRIPT = "trap '' HUP INT TERM; read -r end; kill -9 \"$1\"; rm -rf \"$2\"";

	private static final List<String> OWN_SESSION = RedisBinary.find("setsid", System.getenv("PATH"))
		.map(Path::toString)
		.map(List::of)
		.orElse(List.of());

	private Watchdog() {
	}

	static void guard(Process server, Path directory) throws IOException {
		List<String> command = new ArrayList<>(ownSession());
		command.addAll(List.of("sh", "-c", SCRIPT, "watchdog", Long.toString(server.pid()), directory.toString()));
		Process watchdog = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		// Its number may be given to another process once the server has ended. This
		// also keeps the watchdog, and so the pipe, from being collected as garbage.
		server.onExit().thenRun(watchdog::destroyForcibly);
	}

	/**
	 * What to put in front of a command so that Ctrl-C in a terminal reaches this JVM
	 * only, which then releases its locks before it closes the nodes. Empty where there
	 * is no {@code setsid}, as on macOS.
	 */
	static List<String> ownSession() {
		return OWN_SESSION;
	}

}
