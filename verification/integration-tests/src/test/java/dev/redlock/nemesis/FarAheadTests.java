package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The clocks of all servers are days ahead, and then right again. Locks and counters
 * expire by these clocks.
 */
@Tag("slow")
class FarAheadTests {

	private static final Duration TTL = Duration.ofSeconds(6);

	private static final Duration RETENTION = Duration.ofHours(30);

	private static final String LOCK_KEY = "redlock:" + SteppedClients.RESOURCE;

	private static final String MARKER_KEY = "redlock:{redlock-node}";

	private static final String COUNTER_KEY = "{" + LOCK_KEY + "}:fence";

	@TempDir
	private Path directory;

	@AutoClose
	private SteppedClients clients;

	@BeforeEach
	void startServers() {
		this.clients = new SteppedClients(this.directory, Map.of("redlock.ttl", TTL, "redlock.max-ttl", TTL));
	}

	@Test
	void aLeapOfAllClocksPastTheRetentionAndBackTakesTheirVoteAway() {
		Redlock first = this.clients.connect();
		Redlock second = this.clients.connect();
		Lease lease = first.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE)).orThrow();
		leapAndComeBack();
		SteppedClients.getsNoLockWhileValid(second, lease);
	}

	@Test
	void theFenceRisesWhenTheRetentionHasPassedSinceTheClocksWereSetRight() {
		long tenDaysAhead = fenceOfTenDaysAhead();
		this.clients.setClocks(Duration.ZERO);
		long afterwards = fence(this.clients.connect());
		assertThat(afterwards).isGreaterThan(tenDaysAhead);
		// As if two days had passed since.
		this.clients.setClocks(RETENTION.plusDays(1));
		assertThat(fence(this.clients.connect())).as("the fence after two days").isGreaterThan(afterwards);
	}

	private long fenceOfTenDaysAhead() {
		this.clients.setClocks(Duration.ofDays(10));
		return fence(this.clients.connect());
	}

	private static long fence(Redlock redlock) {
		long[] fence = new long[1];
		// The first attempt may be what tells the client how far ahead the servers are.
		Awaitility.await().atMost(SteppedClients.BOUND).until(() -> {
			redlock.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE)).lease().ifPresent((lease) -> {
				fence[0] = lease.fence();
				lease.close();
			});
			return fence[0] != 0;
		});
		return fence[0];
	}

	/**
	 * All clocks are two days ahead until each server has forgotten the lock, its counter
	 * and the marker. A client that is connected may have written a new marker by then.
	 */
	private void leapAndComeBack() {
		Map<RedisNode, Object> markers = new HashMap<>();
		this.clients.servers().forEach((server) -> markers.put(server, server.command("GET", MARKER_KEY)));
		this.clients.setClocks(RETENTION.plusDays(1));
		Awaitility.await()
			.atMost(SteppedClients.BOUND)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> this.clients.servers()
				.stream()
				.allMatch((server) -> hasForgotten(server, Objects.requireNonNull(markers.get(server)))));
		this.clients.setClocks(Duration.ZERO);
	}

	private static boolean hasForgotten(RedisNode server, Object marker) {
		return Long.valueOf(0).equals(server.command("EXISTS", LOCK_KEY, COUNTER_KEY))
				&& !marker.equals(server.command("GET", MARKER_KEY));
	}

}
