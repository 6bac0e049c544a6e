package dev.redlock.nemesis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.redlock.test.RedisNode;

/**
 * A shared object that is put in front of the C library of real servers and of client
 * JVMs. It adds an offset, which it reads from a file, to the time of their wall clocks,
 * and notes what a server has on its disk for certain. It is compiled on the spot.
 */
final class ProcessShim {

	private static final List<String> SOURCES = List.of("clock-shim.c", "disk-shim.c");

	private static final int LONGEST_COMPILATION_SECONDS = 60;

	private static final Duration TRIAL_STEP = Duration.ofHours(1);

	private final Path directory;

	private final Path library;

	private ProcessShim(Path directory, Path library) {
		this.directory = directory;
		this.library = library;
	}

	/**
	 * Compiles the shared object, and tries whether it steps the clock of a server of
	 * this machine.
	 * @param directory where to put it, and the files of its servers
	 * @throws Unavailable if it cannot be made or the server does not load it
	 */
	static ProcessShim build(Path directory) throws Unavailable {
		if ("embedded".equals(System.getProperty("redlock.test.redis"))) {
			throw new Unavailable("the embedded redis-server is asked for, which loads no shared objects");
		}
		ProcessShim shim = new ProcessShim(directory, directory.resolve("process-shim.so"));
		shim.compile();
		shim.tryOut();
		return shim;
	}

	/**
	 * A clock for one server or client. A server keeps it when it is restarted.
	 */
	SteppedClock clock(String process) {
		return SteppedClock.create(this.directory, process, this.library);
	}

	/**
	 * The disk of one server, which loses at a power cut what was not synced.
	 */
	FailingDisk disk(String server) {
		return FailingDisk.create(this.directory, server, this.library);
	}

	private void compile() throws Unavailable {
		try {
			List<String> command = new ArrayList<>(List.of("cc", "-Wall", "-Wextra", "-Werror", "-O2", "-shared",
					"-fPIC", "-o", this.library.toString()));
			for (String name : SOURCES) {
				Path file = this.directory.resolve(name);
				try (InputStream source = ProcessShim.class.getResourceAsStream(name)) {
					Files.copy(Objects.requireNonNull(source), file);
				}
				command.add(file.toString());
			}
			Process compiler = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.directory.resolve("cc.log").toFile())
				.start();
			compiler.onExit().orTimeout(LONGEST_COMPILATION_SECONDS, TimeUnit.SECONDS).join();
			if (compiler.exitValue() != 0) {
				throw new Unavailable("cc could not compile it: " + Files.readString(this.directory.resolve("cc.log")));
			}
		}
		catch (IOException ex) {
			throw new Unavailable("there is no C compiler named cc: " + ex.getMessage());
		}
	}

	private void tryOut() throws Unavailable {
		SteppedClock clock = clock("trial");
		try (RedisNode node = RedisNode.start("trial", clock.executable())) {
			long before = seconds(node);
			clock.set(TRIAL_STEP);
			if (seconds(node) < before + TRIAL_STEP.toSeconds()) {
				throw new Unavailable("the redis-server on the path is a static one, which loads no shared objects");
			}
		}
		catch (IllegalStateException ex) {
			throw new Unavailable("there is no redis-server on the path, or it does not run with it: "
					+ String.valueOf(ex.getMessage()).lines().findFirst().orElse(""));
		}
	}

	private static long seconds(RedisNode node) {
		List<?> time = (List<?>) Objects.requireNonNull(node.command("TIME"));
		return Long.parseLong(String.valueOf(time.get(0)));
	}

	/**
	 * Says why neither clocks nor disks can be made to fail on this machine.
	 */
	static final class Unavailable extends Exception {

		private static final long serialVersionUID = 1L;

		Unavailable(String why) {
			super("The clocks and disks of servers cannot be made to fail here: " + why);
		}

	}

}
