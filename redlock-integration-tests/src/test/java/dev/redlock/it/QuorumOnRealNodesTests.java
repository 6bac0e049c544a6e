package dev.redlock.it;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.redlock.CurrentLease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.Redlock;
import dev.redlock.it.LockedApplication.Service;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class QuorumOnRealNodesTests {

	private static final RedisNodes nodes = RedisNodes.start(5);

	private static ConfigurableApplicationContext context;

	private static Service service;

	@BeforeAll
	static void start() {
		context = LockedApplication.start(nodes, "test.wait-for=1s");
		service = context.getBean(Service.class);
	}

	@AfterAll
	static void stop() {
		context.close();
		nodes.close();
	}

	@BeforeEach
	void heal() {
		nodes.heal();
		Redlock redlock = context.getBean(Redlock.class);
		Awaitility.await()
			.until(() -> redlock.nodes().stream().allMatch((node) -> node.status().state() == State.READY));
	}

	@Test
	void duringALockedMethodTheKeyIsOnAllFiveWithOneTokenAndATtlAndAfterItOnNone() {
		Set<Object> tokens = new HashSet<>();
		service.locked("1", () -> {
			for (RedisNode node : nodes.asList()) {
				tokens.add(String.valueOf(node.command("GET", "redlock:order:1")));
				assertThat((Long) node.command("PTTL", "redlock:order:1")).isBetween(5_000L, 10_000L);
			}
			return tokens.add(CurrentLease.require().token());
		});
		assertThat(tokens).hasSize(1);
		assertGone("redlock:order:1");
	}

	@Test
	void afterAnExceptionTheKeyIsOnNone() {
		assertThatIllegalStateException().isThrownBy(() -> service.locked("2", () -> {
			throw new IllegalStateException("from the body");
		})).withMessage("from the body");
		assertGone("redlock:order:2");
	}

	@Test
	void withTwoKilledTheLockStillWorks() {
		nodes.get(0).kill();
		nodes.get(1).kill();
		List<Long> fences = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			fences.add(service.locked("3", () -> CurrentLease.require().fence()));
		}
		assertThat(fences).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void withThreeKilledTheCallerIsToldThatThereIsNoQuorumWithALinePerNode() {
		nodes.get(0).kill();
		nodes.get(1).kill();
		nodes.get(2).kill();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> service.locked("4", () -> "must not run"))
			.satisfies((ex) -> {
				assertThat(ex.reason()).isEqualTo(Reason.NO_QUORUM);
				assertThat(ex.votes()).hasSize(5);
				assertThat(ex.getMessage().lines()).hasSize(6);
			});
	}

	@Test
	void withOneFrozenEveryCallIsServedAndNothingStaysBehindWhenItThaws() {
		nodes.get(4).freeze();
		for (int i = 0; i < 50; i++) {
			assertThat(service.<String>locked("5", () -> "ran")).isEqualTo("ran");
		}
		nodes.get(4).thaw();
		assertGone("redlock:order:5");
	}

	@Test
	void aSecondApplicationIsKeptOut() {
		try (ConfigurableApplicationContext other = LockedApplication.start(nodes, "test.wait-for=0",
				"redlock.owner=the other")) {
			Service otherService = other.getBean(Service.class);
			service.locked("6", () -> {
				assertThatExceptionOfType(LockNotAcquiredException.class)
					.isThrownBy(() -> otherService.locked("6", () -> "must not run"))
					.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.HELD));
				return "done";
			});
			assertGone("redlock:order:6");
			assertThat(otherService.<String>locked("6", () -> "now it may")).isEqualTo("now it may");
		}
	}

	private static void assertGone(String key) {
		Awaitility.await().untilAsserted(() -> {
			for (RedisNode node : nodes.asList()) {
				assertThat(node.command("EXISTS", key)).as(node.name()).isEqualTo(0L);
			}
		});
	}

}
