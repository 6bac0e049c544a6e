package dev.redlock.lettuce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class ServerKindsTests {

	private final NodeFixture fixture = new NodeFixture();

	@AfterEach
	void tearDown() {
		this.fixture.close();
	}

	@Test
	void aWrongPasswordIsToldWithoutThePassword() {
		try (RedisProcess redis = RedisProcess.start("--requirepass", "right")) {
			RedisURI uri = RedisURI.builder(redis.uri()).withPassword("wrong-one".toCharArray()).build();
			LockNode node = this.fixture.lettuce("acl", uri, unguarded());
			Awaitility.await().atMost(NodeFixture.BOUND).until(() -> node.status().reason().contains("WRONGPASS"));
			assertThat(node.status().state()).isEqualTo(State.UNFIT);
			assertThat(node.status().reason()).doesNotContain("wrong-one");
		}
	}

	@Test
	void aUserWithoutTheRightToLockIsUnfit() {
		try (RedisProcess redis = RedisProcess.start()) {
			redis.addUser("poor", "secret", "~*", "+ping", "+client|id", "+time");
			RedisURI uri = RedisURI.builder(redis.uri()).withAuthentication("poor", "secret".toCharArray()).build();
			LockNode node = await(this.fixture.lettuce("poor", uri, unguarded()), State.UNFIT);
			assertThat(node.status().reason()).startsWith("Its Redis user lacks a right. Redis said: NOPERM ")
				.contains("all of: +info +time ");
			Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t"), this.fixture.fence()));
			assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		}
	}

	@Test
	void aReplicaIsUnfitAndAPromotedOneIsQuarantinedWhateverItsUptime() {
		try (RedisProcess master = RedisProcess.start("--repl-diskless-sync-delay", "0");
				RedisProcess replica = RedisProcess.start()) {
			replica.ask((commands) -> commands.replicaof("127.0.0.1", master.port()));
			Awaitility.await()
				.atMost(NodeFixture.BOUND)
				.until(() -> replica.ask((commands) -> commands.info("replication").contains("master_link_status:up")));
			LockNode node = await(
					this.fixture.lettuce("replica", replica.uri(), NodeFixture.settings(true, Duration.ofMillis(100))),
					State.UNFIT);
			assertThat(node.status().reason()).contains("slave");
			replica.ask((commands) -> commands.replicaofNoOne());
			await(node, State.QUARANTINED);
			await(node, State.READY);
		}
	}

	@Test
	void aServerBehindSentinelsIsFound() throws IOException {
		try (RedisProcess master = RedisProcess.start(); RedisProcess sentinel = RedisProcess.prepare()) {
			Path file = sentinel.directory().resolve("sentinel.conf");
			Files.writeString(file, "port " + sentinel.port() + "\nbind 127.0.0.1\nsentinel monitor locks 127.0.0.1 "
					+ master.port() + " 1\n");
			sentinel.launchAs(file.toString(), "--sentinel");
			RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "locks").build();
			LockNode node = await(this.fixture.lettuce("sentinel", uri, unguarded()), State.READY);
			assertThat(vote(node.acquire(claim("k", "t"), this.fixture.fence()))).isInstanceOf(Granted.class);
			assertThat(master.<String>ask((commands) -> commands.get("k"))).isEqualTo("t");
		}
	}

}
