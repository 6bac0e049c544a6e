package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real servers whose clocks step by an hour, which ends the locks that they hold. No
 * fences, since a node so far from the others would not vote on them anyway.
 */
@Tag("slow")
class SteppedServerTests {

	private static final Duration AN_HOUR = Duration.ofHours(1);

	@TempDir
	private Path directory;

	@AutoClose
	private SteppedClients clients;

	@Test
	void aServerWhoseClockSteppedIsQuarantinedAndItsGrantDoesNotCount() {
		start(true, "3s");
		Redlock first = this.clients.connect();
		Redlock second = this.clients.connect();
		Lease lease = first.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE)).orThrow();
		stepTwoForward();
		LockAttempt attempt = second.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE));
		// A machine that is too slow for this story has nothing to tell.
		assertThat(attempt.lease().isPresent() && lease.isValid()).isFalse();
		Awaitility.await().atMost(SteppedClients.BOUND).until(() -> {
			// A server tells its time when it grants, and not when it refuses.
			second.attemptAndWait(LockRequest.of("another")).lease().ifPresent(Lease::close);
			return second.nodes()
				.stream()
				.limit(2)
				.allMatch((node) -> node.status().reason().contains("stepped forward by"));
		});
		SteppedClients.getsNoLockWhileValid(second, lease);
	}

	@Test
	void withTheGuardOffTheSecondGetsTheLockThatTheFirstStillHolds() {
		start(false, "1m");
		Redlock first = this.clients.connect();
		Redlock second = this.clients.connect();
		Lease lease = first.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE)).orThrow();
		// A node that takes the lock only after the step would keep it by its new time.
		Awaitility.await()
			.atMost(SteppedClients.BOUND)
			.until(() -> this.clients.servers().stream().allMatch(SteppedServerTests::hasLock));
		stepTwoForward();
		Awaitility.await()
			.atMost(SteppedClients.BOUND)
			.until(() -> second.attemptAndWait(LockRequest.of(SteppedClients.RESOURCE)).lease().isPresent());
		assertThat(lease.isValid()).isTrue();
	}

	private void start(boolean restartGuard, String ttl) {
		this.clients = new SteppedClients(this.directory, Map.of("redlock.ttl", ttl, "redlock.max-ttl", ttl,
				"redlock.fencing.enabled", false, "redlock.restart-guard.enabled", restartGuard));
	}

	private void stepTwoForward() {
		this.clients.setClock(0, AN_HOUR);
		this.clients.setClock(1, AN_HOUR);
	}

	private static boolean hasLock(RedisNode server) {
		return Long.valueOf(1).equals(server.command("EXISTS", "redlock:" + SteppedClients.RESOURCE));
	}

}
