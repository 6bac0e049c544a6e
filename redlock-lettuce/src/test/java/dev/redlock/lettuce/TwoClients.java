package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.SetArgs;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three servers and two clients. The first client holds a lock on the servers 0 and 1
 * only. If server 1 forgets the lock and votes, the second client gets it on 1 and 2.
 */
final class TwoClients implements AutoCloseable {

	static final int FORGETFUL = 1;

	private static final String RESOURCE = "r";

	private final Duration maxTtl;

	private final NodeSettings settings;

	private final List<RedisProcess> servers = new ArrayList<>();

	private final List<NodeFixture> fixtures = new ArrayList<>();

	/**
	 * Starts the servers.
	 * @param settings those of the nodes, of which the largest ttl is that of the lock
	 * @param options what the servers are started with
	 */
	TwoClients(NodeSettings settings, String... options) {
		this.maxTtl = settings.maxTtl();
		this.settings = settings;
		for (int i = 0; i < 3; i++) {
			this.servers.add(RedisProcess.start(options));
		}
	}

	RedisProcess server(int index) {
		return this.servers.get(index);
	}

	/**
	 * Connects a client whose nodes look at their servers a hundred times as often.
	 */
	Client connect() {
		NodeFixture fixture = new NodeFixture().lookSooner();
		this.fixtures.add(fixture);
		List<LockNode> nodes = new ArrayList<>();
		for (int i = 0; i < this.servers.size(); i++) {
			nodes.add(fixture.lettuce("n" + i, this.servers.get(i).uri(), this.settings));
		}
		return new Client(nodes, fixture.redlock(nodes, this.maxTtl));
	}

	/**
	 * Takes the lock on all servers but the last one, which is free again when this
	 * returns.
	 */
	Lease holdOnABareMajority(Client client) {
		RedisProcess last = this.servers.get(2);
		last.ask((redis) -> redis.set(RESOURCE, "other", SetArgs.Builder.ex(60)));
		Lease lease = client.attempt().orThrow();
		last.ask((redis) -> redis.del(RESOURCE));
		return lease;
	}

	@Override
	public void close() {
		this.fixtures.forEach(NodeFixture::close);
		this.servers.forEach(RedisProcess::close);
	}

	/**
	 * One client.
	 *
	 * @param nodes its nodes
	 * @param redlock its lock
	 */
	record Client(List<LockNode> nodes, Redlock redlock) {

		Client awaitReady() {
			this.nodes.forEach((node) -> NodeFixture.await(node, State.READY));
			return this;
		}

		/**
		 * Waits until each node was checked, with whatever result.
		 */
		Client awaitChecked() {
			this.nodes.forEach(NodeFixture::awaitChecked);
			return this;
		}

		LockAttempt attempt() {
			return this.redlock.attemptAndWait(LockRequest.of(RESOURCE));
		}

		/**
		 * Tries until it has the lock, which must not be before the other lease has
		 * ended.
		 */
		void getsNoLockWhileValid(Lease other) {
			// A machine that is too slow for this story has nothing to tell.
			boolean inTime = other.remaining().compareTo(Duration.ofMillis(500)) > 0;
			int[] refused = new int[1];
			Awaitility.await().atMost(NodeFixture.BOUND).pollInterval(Duration.ofMillis(10)).until(() -> {
				boolean got = attempt().lease().isPresent();
				assertThat(got && other.isValid())
					.as("two leases are valid, the first one for another %s", other.remaining())
					.isFalse();
				refused[0] += got ? 0 : 1;
				return got;
			});
			assertThat(refused[0] > 0 || !inTime).isTrue();
		}

	}

}
