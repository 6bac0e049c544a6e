package dev.redlock.spring.interceptor;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.FlowAdapters;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

class LockedReactiveMethodTests {

	private final LockWorld world = new LockWorld();

	@AfterEach
	void leavesNoLeaseOnTheThread() {
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void methodIsCalledUnderTheLockForEachSubscription() {
		LockedContexts.with(this.world, ReactiveStock.class, (stock) -> {
			Mono<String> sale = stock.sell("1");
			assertThat(stock.calls()).hasValue(0);
			assertThat(sale.block()).isEqualTo("sold [stock:1]");
			assertThat(sale.block()).isEqualTo("sold [stock:1]");
			assertThat(stock.calls()).hasValue(2);
			assertThat(this.world.isHeld("stock:1")).isFalse();
		});
	}

	@Test
	void everyTypeOfTheRegistryIsLocked() {
		LockedContexts.with(this.world, ReactiveStock.class, (stock) -> {
			assertThat(Mono.from(FlowAdapters.toPublisher(stock.flow())).block()).isEqualTo("flow");
			assertThat(stock.single().blockingGet()).isEqualTo("single");
			assertThat(stock.maybe().blockingGet()).isEqualTo("maybe");
			assertThat(stock.flowable().toList().blockingGet()).containsExactly("flow", "able");
			stock.completable().blockingAwait();
			assertThat(stock.calls()).hasValue(1);
			this.world.hold("stock:1");
			assertThat(catchThrowable(() -> Mono.from(FlowAdapters.toPublisher(stock.flow())).block()))
				.isInstanceOf(LockNotAcquiredException.class);
			assertThat(catchThrowable(() -> stock.single().blockingGet())).isInstanceOf(LockNotAcquiredException.class);
			assertThat(catchThrowable(() -> stock.completable().blockingAwait()))
				.isInstanceOf(LockNotAcquiredException.class);
			assertThat(stock.calls()).hasValue(1);
		});
	}

	@Test
	void skipDoesNotTouchALockFailureOfTheMethodItself() {
		LockedContexts.with(this.world, ReactiveStock.class, (stock) -> {
			this.world.hold("stock:1");
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> stock.skipOuter(stock.sell("1")).block());
		});
	}

	@Test
	void fallbackAnswersInstead() {
		LockedContexts.with(this.world, ReactiveStock.class, (stock) -> {
			Lease others = this.world.hold("stock:1");
			assertThat(stock.fall("1").block()).isEqualTo("1 is HELD");
			assertThat(catchThrowable(() -> stock.fallAndFail("1").blockLast())).isSameAs(Stock.OF_FALLBACK);
			others.close();
			assertThat(stock.fall("1").block()).isEqualTo("1");
			assertThat(stock.fallAndFail("1").blockLast()).isEqualTo("1");
		});
	}

	@Test
	void methodThatReturnsNoPublisherFailsAndReleases() {
		LockedContexts.with(this.world, ReactiveStock.class, (stock) -> {
			assertThatIllegalStateException().isThrownBy(() -> stock.returnsNull().block())
				.withMessageContaining("returned null");
			assertThat(this.world.isHeld("stock:1")).isFalse();
		});
	}

}
