package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class SteppedClientClockTests {

	private static final Duration STEP = Duration.ofHours(1);

	@TempDir
	private Path directory;

	@Test
	void aClientSeesItsWallClockStepAndItsMonotonicClockGoOn() throws Exception {
		SteppedClock clock = clock();
		try (ClientProcess client = ClientProcess.start(clock.prefix(), "client", this.directory, TwoLooks.class,
				List.of())) {
			client.awaitReady();
			clock.set(STEP);
			client.finish();
			client.awaitIdle();
			List<String> looks = java.nio.file.Files.readAllLines(client.log());
			Duration wall = Duration.between(Instant.parse(looks.get(0)), Instant.parse(looks.get(3)));
			Duration monotonic = Duration.ofNanos(Long.parseLong(looks.get(4)) - Long.parseLong(looks.get(1)));
			assertThat(wall.minus(monotonic)).isCloseTo(STEP, Duration.ofSeconds(1));
		}
	}

	@Test
	void aClientWhoseMachineWasSuspendedSeesItsMonotonicClockStandStillAndItsWallClockGoOn() throws Exception {
		SteppedClock clock = clock();
		try (ClientProcess client = ClientProcess.start(clock.prefix(), "client", this.directory, TwoLooks.class,
				List.of())) {
			client.awaitReady();
			Suspension suspension = Suspension.begin(client);
			Duration asleep = suspension.awaitPassed(Duration.ofSeconds(2));
			suspension.end(clock);
			client.finish();
			client.awaitIdle();
			List<String> looks = java.nio.file.Files.readAllLines(client.log());
			Duration wall = Duration.between(Instant.parse(looks.get(0)), Instant.parse(looks.get(3)));
			Duration monotonic = Duration.ofNanos(Long.parseLong(looks.get(4)) - Long.parseLong(looks.get(1)));
			assertThat(monotonic).isPositive();
			assertThat(wall.minus(monotonic)).isGreaterThanOrEqualTo(asleep.minusMillis(50));
		}
	}

	private SteppedClock clock() {
		try {
			return ProcessShim.build(this.directory).clock("client");
		}
		catch (ProcessShim.Unavailable ex) {
			assumeTrue(false, ex.getMessage());
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A client that looks at its clocks twice.
	 */
	static final class TwoLooks {

		private TwoLooks() {
		}

		public static void main(String[] args) throws Exception {
			look();
			System.out.println(ClientProcess.READY);
			System.in.read();
			look();
			System.out.println(ClientProcess.IDLE);
		}

		private static void look() {
			System.out.println(Instant.now());
			System.out.println(System.nanoTime());
		}

	}

}
