package dev.redlock.it;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.it.LockedApplication.Service;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Clients of other languages that release and extend by commands with a condition, which
 * Redis has since 8.4 and Valkey since 8.1 or 9.0. To run all of it, name such a server
 * by {@code -Dredlock.test.redis=}.
 */
class ConditionalCommandsTests {

	private static final RedisNodes nodes = RedisNodes.start(3);

	private ConfigurableApplicationContext context;

	private Service service;

	@BeforeEach
	void start() {
		this.context = LockedApplication.start(nodes, "redlock.key-prefix=", "test.wait-for=0");
		this.service = this.context.getBean(Service.class);
		LockedApplication.awaitReady(this.context);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@AfterAll
	static void stopServers() {
		nodes.close();
	}

	@ParameterizedTest
	@EnumSource
	void aLockThatAForeignClientReleasesIsOurs(Release release) {
		assumeThereIs(release);
		onEach("SET", "order:1", "foreign", "NX", "PX", "60000");
		assertHeld("1");
		assertThat(onEach(release.command("order:1", "foreign"))).containsOnly(1L);
		assertThat(this.service.<String>locked("1", () -> "ours")).isEqualTo("ours");
	}

	@ParameterizedTest
	@EnumSource
	void aForeignClientDoesNotReleaseOurLock(Release release) {
		assumeThereIs(release);
		this.service.locked("2", () -> {
			assertThat(onEach(release.command("order:2", "foreign"))).containsOnly(0L);
			assertHeld("2");
			return "done";
		});
	}

	@Test
	void aLockThatAForeignClientExtendsStaysItsOwn() {
		assumeThereIsConditionalSet();
		onEach("SET", "order:3", "foreign", "NX", "PX", "5000");
		assertThat(onEach("SET", "order:3", "foreign", "IFEQ", "foreign", "PX", "60000")).containsOnly("OK");
		assertThat(onEach("PTTL", "order:3")).allSatisfy((left) -> assertThat((Long) left).isGreaterThan(5_000));
		assertHeld("3");
	}

	@Test
	void aForeignClientDoesNotExtendOurLockAsItsOwn() {
		assumeThereIsConditionalSet();
		this.service.locked("4", () -> {
			assertThat(onEach("SET", "order:4", "foreign", "IFEQ", "foreign", "PX", "60000")).containsOnlyNulls();
			assertHeld("4");
			return "done";
		});
		assertThat(this.service.<String>locked("4", () -> "again")).isEqualTo("again");
	}

	private void assertHeld(String id) {
		try (ConfigurableApplicationContext other = LockedApplication.start(nodes, "redlock.key-prefix=",
				"test.wait-for=0")) {
			LockedApplication.awaitReady(other);
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> other.getBean(Service.class).locked(id, () -> "must not run"))
				.withMessageContaining("HELD");
		}
	}

	private static List<Object> onEach(String... command) {
		List<Object> answers = new ArrayList<>();
		nodes.asList().forEach((node) -> answers.add(node.command(command)));
		return answers;
	}

	private static void assumeThereIs(Release release) {
		assume(release.name(), () -> nodes.get(0).command(release.command("probe", "none")));
	}

	private static void assumeThereIsConditionalSet() {
		assume("SET with IFEQ", () -> nodes.get(0).command("SET", "probe", "x", "IFEQ", "none"));
	}

	private static void assume(String command, Supplier<Object> probe) {
		try {
			probe.get();
		}
		catch (RuntimeException ex) {
			Assumptions.abort("This server has no " + command + " (" + ex.getMessage()
					+ "): name a newer one by -Dredlock.test.redis=");
		}
	}

	enum Release {

		DELEX("IFEQ"), DELIFEQ;

		private final List<String> condition;

		Release(String... condition) {
			this.condition = List.of(condition);
		}

		String[] command(String key, String token) {
			return Stream.of(List.of(name(), key), this.condition, List.of(token))
				.flatMap(List::stream)
				.toArray(String[]::new);
		}

	}

}
