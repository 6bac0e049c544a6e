package dev.redlock.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What becomes of an {@code RLock} on one master with two replicas when the master fails.
 * Redisson runs with its defaults: it checks by {@code WAIT} how many replicas have the
 * lock, and looks every second who is the master.
 */
@Tag("slow")
class RedissonFailoverTests {

	private static final Duration BOUND = Duration.ofSeconds(60);

	/** Longer than the test runs. */
	private static final long LEASE_SECONDS = 300;

	private final RedisNode master = RedisNode.start("master");

	private final RedisNode near = RedisNode.start("near");

	private final RedisNode far = RedisNode.start("far");

	/** What the far replica hears of the master goes through here. */
	private final FaultProxy link = FaultProxy.to(this.master.port());

	private RedissonClient first;

	private RedissonClient second;

	@BeforeEach
	void replicate() {
		this.master.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
		follow(this.near, this.master.port());
		follow(this.far, this.link.port());
		this.first = connect();
		this.second = connect();
	}

	@AfterEach
	void stop() {
		List.of(this.first, this.second).forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
		this.link.close();
		List.of(this.master, this.near, this.far).forEach(RedisNode::close);
	}

	@Test
	void theReplicaThatAcknowledgedTheLockKeepsItOverAFailover() throws InterruptedException {
		cutOffFarReplica();
		assertThat(take(this.first)).isTrue();
		failOverTo(this.near);
		Awaitility.await()
			.atMost(BOUND)
			.ignoreExceptionsInstanceOf(RedisException.class)
			.untilAsserted(() -> assertThat(this.second.getLock("order:1").isLocked()).isTrue());
		assertThat(take(this.second)).isFalse();
	}

	@Test
	void aFailoverToTheReplicaThatDidNotAcknowledgeGivesTheLockToASecondHolder() throws InterruptedException {
		assertThat(this.first.getConfig().isCheckLockSyncedSlaves()).isTrue();
		cutOffFarReplica();
		RLock lock = this.first.getLock("order:1");
		assertThat(lock.tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS)).isTrue();
		assertThat(lock.isHeldByCurrentThread()).isTrue();
		this.near.kill();
		failOverTo(this.far);
		Awaitility.await()
			.atMost(BOUND)
			.ignoreExceptionsInstanceOf(RedisException.class)
			.untilAsserted(() -> assertThat(take(this.second)).isTrue());
		// The first has neither released its lock nor reached the end of its lease. It
		// learns of the loss if it asks.
		assertThat(lock.isHeldByCurrentThread()).isFalse();
	}

	@Test
	void aLockThatNoReplicaAcknowledgedIsRefused() {
		cutOffFarReplica();
		this.near.freeze();
		assertThatThrownBy(() -> take(this.first)).isInstanceOf(RedisException.class)
			.rootCause()
			.hasMessageContaining("None of slaves were synced");
	}

	private void cutOffFarReplica() {
		this.link.set(Traffic.BLACK_HOLE);
	}

	private void failOverTo(RedisNode replica) {
		this.master.kill();
		replica.command("REPLICAOF", "NO", "ONE");
	}

	private static boolean take(RedissonClient client) throws InterruptedException {
		return client.getLock("order:1").tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS);
	}

	private static void follow(RedisNode replica, int port) {
		replica.command("REPLICAOF", "127.0.0.1", Integer.toString(port));
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
	}

	/**
	 * Asks the master only: the replica that was cut off would call a held lock free.
	 */
	private RedissonClient connect() {
		Config config = new Config();
		config.useReplicatedServers()
			.setReadMode(ReadMode.MASTER)
			.addNodeAddress(address(this.master), address(this.near), address(this.far));
		return Redisson.create(config);
	}

	private static String address(RedisNode node) {
		return "redis://127.0.0.1:" + node.port();
	}

}
