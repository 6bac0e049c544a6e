package dev.redlock.it;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.CurrentLease;
import dev.redlock.it.LockedApplication.Service;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@TestInstance(Lifecycle.PER_CLASS)
class QuorumOnRealNodesTests {

	private final RedisNodes nodes = RedisNodes.start(5);

	private ConfigurableApplicationContext context;

	private Service service;

	@BeforeAll
	void start() {
		this.context = LockedApplication.start(this.nodes, "test.wait-for=1s");
		this.service = this.context.getBean(Service.class);
	}

	@AfterAll
	void stop() {
		this.context.close();
		this.nodes.close();
	}

	@BeforeEach
	void heal() {
		this.nodes.heal();
		LockedApplication.awaitReady(this.context);
	}

	@Test
	void duringALockedMethodTheKeyIsOnAllFiveWithOneTokenAndATtlAndAfterItOnNone() {
		Set<Object> tokens = new HashSet<>();
		this.service.locked("1", () -> {
			// A majority has granted. The others are on their way.
			Awaitility.await()
				.until(() -> this.nodes.asList()
					.stream()
					.allMatch((node) -> Long.valueOf(1).equals(node.command("EXISTS", "redlock:order:1"))));
			for (RedisNode node : this.nodes.asList()) {
				tokens.add(String.valueOf(node.command("GET", "redlock:order:1")));
				assertThat((Long) node.command("PTTL", "redlock:order:1")).isBetween(5_000L, 10_000L);
			}
			return CurrentLease.require().isValid();
		});
		assertThat(tokens).hasSize(1);
		assertGone("redlock:order:1");
	}

	@Test
	void withTwoKilledTheLockStillWorks() {
		this.nodes.get(0).kill();
		this.nodes.get(1).kill();
		List<Long> fences = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			fences.add(this.service.locked("3", () -> CurrentLease.require().fence()));
		}
		assertThat(fences).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void withOneFrozenEveryCallIsServedAndNothingStaysBehindWhenItThaws() {
		this.nodes.get(4).freeze();
		for (int i = 0; i < 50; i++) {
			assertThat(this.service.<String>locked("5", () -> "ran")).isEqualTo("ran");
		}
		this.nodes.get(4).thaw();
		assertGone("redlock:order:5");
	}

	private void assertGone(String key) {
		Awaitility.await().untilAsserted(() -> {
			for (RedisNode node : this.nodes.asList()) {
				assertThat(node.command("EXISTS", key)).as(node.name()).isEqualTo(0L);
			}
		});
	}

}
