package dev.redlock.spring.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flows that go on after an error.
 */
class ReactiveErrorContinueTests {

	private final LockWorld world = new LockWorld();

	private final ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.immediate());

	@Test
	void aRefusalThatOnErrorContinueSwallowsLeavesNothingBehind() {
		Lease held = this.world.other.attemptAndWait(this.world.now("b")).orThrow();
		List<Throwable> told = new CopyOnWriteArrayList<>();
		this.template
			.executeMany(this.world.now("a"),
					(outer) -> Flux.range(0, 3)
						.concatMap((i) -> this.template.execute(this.world.now("a", "b"), (inner) -> Mono.just(i)))
						.onErrorContinue((failure, value) -> told.add(failure)))
			.blockLast();
		assertThat(told).isNotEmpty();
		assertThat(this.world.isHeld("a")).as("the outer work has ended").isFalse();
		held.close();
	}

	@Test
	void anOuterLossThatOnErrorContinueSwallowsLeavesNothingBehind() {
		this.world.other.attemptAndWait(this.world.now("b").withTtl(Duration.ofSeconds(20))).orThrow();
		List<Throwable> told = new CopyOnWriteArrayList<>();
		this.template.executeMany(this.world.now("a").withTtl(Duration.ofSeconds(10)), (outer) -> {
			Flux<Integer> inner = this.template
				.execute(this.world.now("a", "b").withWaitFor(Duration.ofSeconds(60)).withRenew(true),
						(lease) -> Mono.just(1))
				.flux();
			return inner.onErrorContinue((failure, value) -> told.add(failure));
		}).onErrorComplete().subscribe();
		for (int i = 0; i < 300; i++) {
			this.world.time.advance(Duration.ofMillis(100));
		}
		assertThat(this.world.isHeld("b")).as("nobody works under b").isFalse();
	}

	@Test
	void onErrorContinueOutsideDoesNotSwallowARefusalOfAPlainCall() {
		Lease held = this.world.other.attemptAndWait(this.world.now("b")).orThrow();
		List<Object> values = new ArrayList<>();
		List<Integer> results = Flux.just(1, 2)
			.flatMap((i) -> this.template.execute(this.world.now("b"), (inner) -> Mono.just(i)).defaultIfEmpty(-1))
			.onErrorContinue((failure, value) -> values.add(value))
			.collectList()
			.block();
		assertThat(results).as("defaultIfEmpty must not see the refusal as an empty result").isEmpty();
		held.close();
	}

}
