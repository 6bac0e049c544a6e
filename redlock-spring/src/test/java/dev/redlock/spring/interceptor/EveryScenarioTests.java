package dev.redlock.spring.interceptor;

import java.util.Arrays;
import java.util.stream.Stream;

import dev.redlock.LockWorld;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every scenario with every kind of call.
 */
class EveryScenarioTests {

	@TestFactory
	Stream<DynamicContainer> every() {
		return Arrays.stream(LockScenario.values())
			.map((scenario) -> DynamicContainer.dynamicContainer(scenario.name(), Arrays.stream(MethodKind.values())
				.map((kind) -> DynamicTest.dynamicTest(kind.name(), () -> play(scenario, kind)))));
	}

	private static void play(LockScenario scenario, MethodKind kind) {
		LockWorld world = scenario.world();
		LockedContexts.runner(world)
			.withPropertyValues("wait=" + scenario.waitFor())
			.withBean(ScenarioStock.class)
			.withBean(SuspendingStock.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				scenario.play(new ScenarioRun(world, kind, beans(context)));
			});
	}

	private static MethodKind.Beans beans(ApplicationContext context) {
		return new MethodKind.Beans(context.getBean(ScenarioStock.class), context.getBean(SuspendingStock.class),
				context.getBean(RedLockTemplate.class), context.getBean(ReactiveRedLockTemplate.class));
	}

}
