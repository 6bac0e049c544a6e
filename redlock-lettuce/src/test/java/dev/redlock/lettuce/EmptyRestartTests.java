package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.Lease;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock is held on a bare majority of nodes, and one of these is killed without
 * persistence and comes back empty.
 */
class EmptyRestartTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(3);

	@Test
	void aRunningClientGetsNoLockUntilTheFirstIsGone() {
		try (TwoClients clients = new TwoClients(NodeFixture.fresh("", MAX_TTL))) {
			TwoClients.Client first = clients.connect().awaitReady();
			TwoClients.Client second = clients.connect().awaitReady();
			Lease lease = clients.holdOnABareMajority(first);
			clients.server(TwoClients.FORGETFUL).restart();
			second.getsNoLockWhileValid(lease);
		}
	}

	/** Clients do not take this server for one that nobody has used. */
	@Test
	void aFreshClientGetsNoLockUntilTheFirstIsGone() {
		try (TwoClients clients = new TwoClients(NodeFixture.settings(true, MAX_TTL))) {
			Lease lease = clients.holdOnABareMajority(clients.connect().awaitReady());
			clients.server(TwoClients.FORGETFUL).restart();
			clients.connect().awaitChecked().getsNoLockWhileValid(lease);
		}
	}

	@Test
	void withTheGuardOffTheSecondGetsTheLockThatTheFirstStillHolds() {
		try (TwoClients clients = new TwoClients(NodeFixture.settings(false, Duration.ofMinutes(5)))) {
			TwoClients.Client first = clients.connect().awaitReady();
			TwoClients.Client second = clients.connect().awaitReady();
			Lease lease = clients.holdOnABareMajority(first);
			clients.server(TwoClients.FORGETFUL).restart();
			await(() -> second.attempt().lease().isPresent());
			assertThat(lease.isValid()).isTrue();
		}
	}

}
