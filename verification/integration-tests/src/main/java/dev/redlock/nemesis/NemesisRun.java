package dev.redlock.nemesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.util.FileSystemUtils;

/**
 * One run: servers, proxies, client processes and faults, then the check of what was
 * written down.
 */
public final class NemesisRun {

	/**
	 * For how much longer than a quarantine the clients go on once all is healed: until
	 * the last connection was made anew, and the last unfit server was asked again, which
	 * is every 5 s.
	 */
	private static final Duration CALM = Duration.ofSeconds(10);

	private final NemesisSettings settings;

	private final Path directory;

	private final @Nullable ProcessShim shim;

	private NemesisRun(NemesisSettings settings, Path directory) {
		this.directory = directory;
		this.shim = shim(settings, directory);
		this.settings = (this.shim != null) ? settings : settings.withoutShim();
	}

	/**
	 * Runs to the end, prints the table, and keeps the histories unless it ended as it
	 * should.
	 * @param settings what to do
	 * @return what was found
	 */
	public static Findings run(NemesisSettings settings) {
		NemesisRun run = new NemesisRun(settings, directory());
		run.record();
		List<Event> events = History.read(run.directory);
		Findings findings = Checker.check(events, NemesisSettings.names(), settings.permits());
		System.out.printf(Locale.ROOT, "%s%n%s", run.settings.summary(), findings);
		if (findings.isClean() != settings.isBeyondThePromise()) {
			run.delete();
		}
		else {
			System.out.println("The histories are in " + run.directory);
		}
		return findings;
	}

	/**
	 * Without clocks and disks that can be made to fail, the other faults are what there
	 * is.
	 */
	private static @Nullable ProcessShim shim(NemesisSettings settings, Path directory) {
		if (!settings.needsShim()) {
			return null;
		}
		try {
			return ProcessShim.build(directory);
		}
		catch (ProcessShim.Unavailable ex) {
			System.out.println("The faults of clocks and disks are left out. " + ex.getMessage());
			return null;
		}
	}

	private void record() {
		List<ClientProcess> clients = new ArrayList<>();
		try (History history = History.open(this.directory, "nemesis");
				Cluster cluster = Cluster.start(NemesisSettings.SERVERS, this.settings.durable(), this.shim);
				ResourceServer resources = ResourceServer.start(new Resources())) {
			for (int i = 0; i < NemesisSettings.CLIENTS; i++) {
				clients.add(startClient(i, cluster, resources));
			}
			clients.forEach(ClientProcess::awaitReady);
			new Nemesis(this.settings, cluster, clients, history).run();
			LockSupport.parkNanos(this.settings.times().maxTtl().plus(CALM).toNanos());
			clients.forEach(ClientProcess::finish);
			clients.forEach(ClientProcess::awaitIdle);
			cluster.findOrphans(NemesisSettings.names(), this.settings.permits(), history);
		}
		finally {
			clients.forEach(ClientProcess::close);
		}
	}

	private ClientProcess startClient(int number, Cluster cluster, ResourceServer resources) {
		String name = "client" + number;
		return cluster.startClient(number, name, this.directory,
				List.of(name, this.directory.toString(), this.settings.driver().getName(),
						Boolean.toString(this.settings.restartGuard()), Long.toString(this.settings.seed() + number),
						Integer.toString(NemesisSettings.THREADS), Integer.toString(NemesisSettings.NAMES),
						resources.address()));
	}

	private static Path directory() {
		try {
			return Files.createTempDirectory("redlock-nemesis-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void delete() {
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
