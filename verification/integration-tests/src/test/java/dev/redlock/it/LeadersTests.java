package dev.redlock.it;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.nemesis.proxy.FaultProxy;
import dev.redlock.nemesis.proxy.Traffic;
import dev.redlock.spring.fencing.FencedResource;
import dev.redlock.spring.fencing.StaleFenceException;
import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Leaders on five servers: two applications here, and processes that are killed.
 */
@Tag("slow")
class LeadersTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final RedisNodes nodes = RedisNodes.start(5);

	private final List<FaultProxy> proxies = this.nodes.asList()
		.stream()
		.map((node) -> FaultProxy.to(node.port()))
		.toList();

	private ConfigurableApplicationContext one;

	private ConfigurableApplicationContext two;

	@BeforeEach
	void start() {
		// What the first candidate says and hears goes through the proxies.
		this.one = application("one", this.proxies.stream().map(FaultProxy::port).toList());
		this.two = application("two", this.nodes.asList().stream().map(RedisNode::port).toList());
	}

	@AfterEach
	void stop() {
		this.two.close();
		this.one.close();
		this.proxies.forEach(FaultProxy::close);
		this.nodes.close();
	}

	@Test
	void aLeaderThatIsCutOffIsRevokedBeforeAnotherLeadsAndFencedStorageRefusesItsLateWrite() {
		FencedResource storage = new FencedResource("imports");
		join(this.one);
		long first = leads(this.one);
		join(this.two);
		assertThatExceptionOfType(StaleFenceException.class)
			.isThrownBy(() -> this.one.getBean(LeaderTemplate.class).execute("importer", (lease) -> {
				storage.access("importer", () -> "written");
				this.proxies.forEach((proxy) -> proxy.set(Traffic.PARTITION));
				assertThat(leads(this.two)).isGreaterThan(first);
				assertThat(role(this.one).isLeader()).isFalse();
				this.two.getBean(LeaderTemplate.class)
					.execute("importer", (later) -> storage.access("importer", () -> "written"));
				assertThat(CurrentLease.require().fence()).isEqualTo(first);
				return storage.access("importer", () -> "too late");
			}))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
	}

	private long leads(ConfigurableApplicationContext context) {
		await(() -> role(context).term().isPresent());
		return role(context).term().orElseThrow();
	}

	private static void join(ConfigurableApplicationContext context) {
		context.getBean(LeaderTemplate.class).join("importer");
	}

	private static LeaderRole role(ConfigurableApplicationContext context) {
		return context.getBean(LeaderTemplate.class).role("importer");
	}

	private ConfigurableApplicationContext application(String name, List<Integer> ports) {
		Stream<String> servers = Stream.iterate(0, (i) -> i + 1)
			.limit(ports.size())
			.map((i) -> "redlock.instances." + this.nodes.get(i).name() + ".port=" + ports.get(i));
		ConfigurableApplicationContext context = LockedApplication.start(this.nodes,
				Stream.concat(Stream.of("redlock.leader.ttl=3s", "redlock.owner=" + name), servers)
					.toArray(String[]::new));
		LockedApplication.awaitReady(context);
		return context;
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(PATIENCE).until(condition);
	}

}
