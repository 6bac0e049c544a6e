package dev.redlock.spring.autoconfigure.observation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.Tick;
import dev.redlock.internal.client.Internals;
import dev.redlock.memory.InMemoryNode;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObservedLocksTests {

	private final LockWorld world = new LockWorld();

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final Redlock redlock = this.world.listened(listener(false));

	@Test
	void aLockIsObservedAsARequestAndAsALease() {
		Lease lease = this.redlock.attemptAndWait(this.world.now("stock:42").withOrigin("Shop.buy")).orThrow();
		observed("redlock.acquire").hasLowCardinalityKeyValue("method", "Shop.buy")
			.hasLowCardinalityKeyValue("outcome", "acquired")
			.hasHighCardinalityKeyValue("redlock.tries", "1")
			.hasContextualNameEqualTo("redlock acquire")
			.hasBeenStopped();
		observed("redlock.hold").hasBeenStarted().isNotStopped().doesNotHaveLowCardinalityKeyValueWithKey("outcome");
		lease.close();
		observed("redlock.hold").hasLowCardinalityKeyValue("method", "Shop.buy")
			.hasLowCardinalityKeyValue("outcome", "released")
			.hasBeenStopped();
	}

	@Test
	void aRefusalAndALossAreTold() {
		Lease lease = this.redlock.attemptAndWait(this.world.now("stock:42")).orThrow();
		this.world.time.advance(LockWorld.TOO_LONG);
		lease.close();
		observed("redlock.hold").hasLowCardinalityKeyValue("outcome", "lost").hasError();
		this.registry.clear();
		this.world.nodes.forEach(InMemoryNode::down);
		this.redlock.attemptAndWait(this.world.now("stock:42"));
		observed("redlock.acquire").hasLowCardinalityKeyValue("outcome", "no_quorum")
			.hasLowCardinalityKeyValue("method", "template")
			.hasError();
		assertThatRegistry().hasNumberOfObservationsEqualTo(1);
	}

	@Test
	void aTickThatAnotherProcessHasTakenIsNoError() {
		Tick tick = Tick.at(this.world.clock().millis(), Duration.ofHours(1));
		this.world.other.attemptAndWait(this.world.now("night-run").withTick(tick)).orThrow().close();
		this.redlock.attemptAndWait(this.world.now("night-run").withTick(tick));
		observed("redlock.acquire").hasLowCardinalityKeyValue("outcome", "tick_taken").doesNotHaveError();
	}

	@Test
	void aRequestThatStandsByIsNotObservedAndItsLeaseIs() {
		Lease lease = this.redlock.attemptAndWait(this.world.now("importer").withStandby(true)).orThrow();
		assertThatRegistry().hasNumberOfObservationsWithNameEqualTo("redlock.acquire", 0);
		observed("redlock.hold").hasBeenStarted().isNotStopped();
		lease.close();
		observed("redlock.hold").hasLowCardinalityKeyValue("outcome", "released").hasBeenStopped();
	}

	@Test
	void bothAreChildrenOfWhatIsObservedWhereTheLockIsAskedFor() {
		Observation parent = Observation.start("parent", this.registry);
		CompletableFuture<LockAttempt> asked = parent
			.scoped(() -> this.redlock.attempt(this.world.now("stock:42")).toCompletableFuture());
		asked.join().orThrow().close();
		parent.stop();
		for (String name : List.of("redlock.acquire", "redlock.hold")) {
			observed(name).hasParentObservationEqualTo(parent);
		}
	}

	@Test
	void aRequestThatIsCancelledIsNotObservedForEver() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		this.redlock.attempt(this.world.now("stock:42")).toCompletableFuture().cancel(false);
		observed("redlock.acquire").hasLowCardinalityKeyValue("outcome", "interrupted").hasBeenStopped();
	}

	@Test
	void resourcesAreInSpansOnlyIfThatIsWantedAndTokensNever() {
		Redlock open = this.world.listened(listener(true));
		Lease secret = this.redlock.attemptAndWait(this.world.now("stock:42")).orThrow();
		Lease named = open.attemptAndWait(this.world.now("stock:43", "stock:44")).orThrow();
		secret.close();
		named.close();
		assertThat(keyValues()).extracting(KeyValue::getValue)
			.doesNotContain("stock:42", Internals.token(secret), Internals.token(named))
			.contains("stock:43,stock:44");
		assertThatRegistry().hasHandledContextsThatSatisfy((contexts) -> contexts
			.forEach((context) -> assertThat(context.getLowCardinalityKeyValues()).extracting(KeyValue::getValue)
				.noneMatch((value) -> value.contains("stock"))));
	}

	@Test
	void nothingIsFollowedWhereNothingIsObserved() {
		ObservedLocks idle = new ObservedLocks(ObservationRegistry.NOOP, true, null, null);
		assertThat(idle.requested(this.world.now("stock:42").withTtl(Duration.ofSeconds(1)))).isNull();
	}

	private ObservedLocks listener(boolean includeResources) {
		return new ObservedLocks(this.registry, includeResources, null, null);
	}

	private List<KeyValue> keyValues() {
		List<KeyValue> values = new ArrayList<>();
		assertThatRegistry().hasHandledContextsThatSatisfy(
				(contexts) -> contexts.forEach((context) -> context.getAllKeyValues().forEach(values::add)));
		return values;
	}

	private TestObservationRegistryAssert.TestObservationRegistryAssertReturningObservationContextAssert observed(
			String name) {
		return assertThatRegistry().hasObservationWithNameEqualTo(name).that();
	}

	private TestObservationRegistryAssert assertThatRegistry() {
		return TestObservationRegistryAssert.assertThat(this.registry);
	}

}
