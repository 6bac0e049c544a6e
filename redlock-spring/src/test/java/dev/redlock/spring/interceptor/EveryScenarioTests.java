package dev.redlock.spring.interceptor;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.redlock.LockWorld;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every scenario with every kind of call. Prints what it has seen.
 */
class EveryScenarioTests {

	private static final Map<LockScenario, Set<MethodKind>> SEEN = new EnumMap<>(LockScenario.class);

	@TestFactory
	Stream<DynamicContainer> every() {
		return Arrays.stream(LockScenario.values())
			.map((scenario) -> DynamicContainer.dynamicContainer(scenario.name(), Arrays.stream(MethodKind.values())
				.map((kind) -> DynamicTest.dynamicTest(kind.name(), () -> play(scenario, kind)))));
	}

	@AfterAll
	static void print() {
		StringBuilder table = new StringBuilder(String.format("%n%-24s", "scenario"));
		for (MethodKind kind : MethodKind.values()) {
			table.append(String.format("%-18s", kind.name().toLowerCase()));
		}
		SEEN.forEach((scenario, kinds) -> {
			table.append(String.format("%n%-24s", scenario.name().toLowerCase().replace('_', ' ')));
			for (MethodKind kind : MethodKind.values()) {
				table.append(String.format("%-18s", kinds.contains(kind) ? "ok" : "FAILED"));
			}
		});
		System.out.println(table);
	}

	private static void play(LockScenario scenario, MethodKind kind) {
		LockWorld world = scenario.world();
		Set<MethodKind> seen = SEEN.computeIfAbsent(scenario, (key) -> EnumSet.noneOf(MethodKind.class));
		LockedContexts.runner(world)
			.withPropertyValues("wait=" + scenario.waitFor())
			.withBean(ScenarioStock.class)
			.withBean(SuspendingStock.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				scenario.play(new ScenarioRun(world, kind, beans(context)));
				seen.add(kind);
			});
	}

	private static MethodKind.Beans beans(ApplicationContext context) {
		return new MethodKind.Beans(context.getBean(ScenarioStock.class), context.getBean(SuspendingStock.class),
				context.getBean(RedLockTemplate.class), context.getBean(ReactiveRedLockTemplate.class));
	}

}
