package dev.redlock.spring.autoconfigure;

import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long servers remember the counters of fences.
 */
class FencingRetentionTests extends ThreeServers {

	@Test
	void byDefaultACounterIsKeptForThirtyHoursAndHalfOfTheLargestTtl() {
		three().run((context) -> assertThat(kept(context.getBean(Redlock.class)))
			.isBetween(Duration.ofHours(30).minusMinutes(1), Duration.ofHours(30).plusMinutes(1)));
	}

	@Test
	void aCounterIsKeptForTheConfiguredRetention() {
		three().withPropertyValues("redlock.fencing.retention=4h")
			.run((context) -> assertThat(kept(context.getBean(Redlock.class)))
				.isBetween(Duration.ofHours(4).minusMinutes(1), Duration.ofHours(4).plusMinutes(1)));
	}

	@ParameterizedTest
	@CsvSource({ "10m, 1m, PT3H", "179m, 1m, PT3H", "4h, 30m, PT5H", "-1s, 1m, PT3H" })
	void aShorterRetentionThanTheBoundIsRefusedAtTheStart(String retention, String maxTtl, String bound) {
		three().withPropertyValues("redlock.fencing.retention=" + retention, "redlock.max-ttl=" + maxTtl)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("redlock.fencing.retention")
				.hasMessageContaining("at least " + bound));
	}

	private static Duration kept(Redlock redlock) {
		String name = "retained-" + System.nanoTime();
		redlock.attemptAndWait(LockRequest.of(name)).orThrow().close();
		long millis = a.<Long>ask((commands) -> commands.pttl("{redlock:" + name + "}:fence"));
		return Duration
			.ofMillis((millis > 0) ? millis : b.<Long>ask((commands) -> commands.pttl("{redlock:" + name + "}:fence")));
	}

}
