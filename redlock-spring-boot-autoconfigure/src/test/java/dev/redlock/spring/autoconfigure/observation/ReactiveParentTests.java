package dev.redlock.spring.autoconfigure.observation;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/**
 * What Spring Boot does where {@code spring.reactor.context-propagation=auto}.
 */
class ReactiveParentTests {

	private final LockWorld world = new LockWorld();

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final Redlock redlock = this.world.listened(new ObservedLocks(this.registry, false, null, null));

	@BeforeEach
	void propagateContext() {
		ObservationThreadLocalAccessor.getInstance().setObservationRegistry(this.registry);
		Hooks.enableAutomaticContextPropagation();
	}

	@AfterEach
	void propagateNothing() {
		Hooks.disableAutomaticContextPropagation();
	}

	@Test
	void aReactiveLockIsObservedAsAChildOfItsFlow() {
		Observation parent = Observation.start("parent", this.registry);
		new ReactiveRedLockTemplate(this.redlock).execute(this.world.now("stock:42"), (lease) -> Mono.just("sold"))
			.contextWrite((context) -> context.put(ObservationThreadLocalAccessor.KEY, parent))
			.block();
		parent.stop();
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasObservationWithNameEqualTo("redlock.acquire")
			.that()
			.hasParentObservationEqualTo(parent);
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasObservationWithNameEqualTo("redlock.hold")
			.that()
			.hasParentObservationEqualTo(parent)
			.hasBeenStopped();
	}

}
