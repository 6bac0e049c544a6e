package dev.redlock.nemesis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;
import dev.redlock.test.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real servers that all lose their power at the same time, and with it what they had not
 * synced to their disks.
 */
@Tag("slow")
class PowerCutTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(20);

	private static final Duration BOUND = Duration.ofMinutes(1);

	private final List<RedisNode> servers = new ArrayList<>();

	private final List<FailingDisk> disks = new ArrayList<>();

	@TempDir
	private Path directory;

	private ProcessShim shim;

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private Redlock first;

	private Redlock second;

	@BeforeEach
	void buildShim() {
		this.shim = SteppedClients.shim(this.directory);
	}

	@AfterEach
	void stop() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RedisNode::close);
	}

	@Test
	void serversThatSyncEachWriteVoteAtOnceAndHaveTheLock() {
		start("always");
		Lease lease = lockOnAll();
		cutPower(0);
		awaitReady();
		assertThat(quarantined()).isEmpty();
		assertThat(this.servers).allMatch(PowerCutTests::hasLock);
		assertThat(lease.extend(MAX_TTL)).isTrue();
		assertThat(this.second.attemptAndWait(LockRequest.of("r")).lease()).isEmpty();
	}

	@Test
	void serversThatSyncEachSecondAreQuarantinedAndGiveTheLockToNobodyElse() {
		start("everysec");
		Lease lease = lockOnAll();
		cutPower(0);
		Awaitility.await().atMost(BOUND).until(() -> quarantined().containsAll(List.of("a", "b", "c")));
		Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(50)).until(() -> {
			boolean got = this.second.attemptAndWait(LockRequest.of("r")).lease().isPresent();
			assertThat(got && lease.isValid()).isFalse();
			return got;
		});
	}

	/**
	 * What the tests above rest on: a disk that lies cannot be noticed, and shows.
	 */
	@Test
	void disksThatClaimToHaveSyncedLetTwoClientsHoldOneLock() {
		start("always");
		this.disks.forEach(FailingDisk::lie);
		Lease lease = lockOnAll();
		assertThat(cutPower(0)).isPositive();
		awaitReady();
		assertThat(quarantined()).isEmpty();
		Lease other = this.second.attemptAndWait(LockRequest.of("r")).orThrow();
		assertThat(lease.isValid() && other.isValid()).isTrue();
	}

	@Test
	void aLastWriteThatIsTornKeepsNoServerFromStarting() {
		start("always");
		this.disks.forEach(FailingDisk::lie);
		lockOnAll();
		assertThat(cutPower(0.5)).isPositive();
		awaitReady();
		assertThat(this.servers).noneMatch(PowerCutTests::hasLock);
	}

	private void start(String sync) {
		for (String name : List.of("a", "b", "c")) {
			FailingDisk disk = this.shim.disk(name);
			this.disks.add(disk);
			this.servers.add(RedisNode.startDurable(name, disk.executable("--appendfsync " + sync)));
		}
		this.first = client();
		this.second = client();
		awaitReady();
		this.contexts.forEach((context) -> context.getBean(Quarantines.class).names.clear());
	}

	private Redlock client() {
		Map<String, Object> properties = new HashMap<>();
		this.servers.forEach((server) -> properties.put("redlock.instances." + server.name() + ".url",
				"redis://127.0.0.1:" + server.port()));
		properties.put("redlock.ttl", MAX_TTL);
		properties.put("redlock.max-ttl", MAX_TTL);
		properties.put("redlock.wait-for", "0");
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.run();
		this.contexts.add(context);
		return context.getBean(Redlock.class);
	}

	private Lease lockOnAll() {
		Lease lease = this.first.attemptAndWait(LockRequest.of("r")).orThrow();
		Awaitility.await().atMost(BOUND).until(() -> this.servers.stream().allMatch(PowerCutTests::hasLock));
		return lease;
	}

	/**
	 * Cuts the power of all servers.
	 * @return how many bytes were lost on the server that lost least
	 */
	private long cutPower(double torn) {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < this.servers.size(); i++) {
			least = Math.min(least, this.disks.get(i).cutPower(this.servers.get(i), torn));
		}
		return least;
	}

	private Queue<String> quarantined() {
		return this.contexts.get(0).getBean(Quarantines.class).names;
	}

	private static boolean hasLock(RedisNode server) {
		return Long.valueOf(1).equals(server.command("EXISTS", "redlock:r"));
	}

	private void awaitReady() {
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> Stream.of(this.first, this.second)
				.flatMap((redlock) -> redlock.nodes().stream())
				.allMatch((node) -> node.status().state() == State.READY));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Quarantines.class)
	static class Application {

	}

	static final class Quarantines {

		private final Queue<String> names = new ConcurrentLinkedQueue<>();

		@EventListener
		void changed(RedlockNodeEvent event) {
			if (event.to().state() == State.QUARANTINED) {
				this.names.add(event.node());
			}
		}

	}

}
