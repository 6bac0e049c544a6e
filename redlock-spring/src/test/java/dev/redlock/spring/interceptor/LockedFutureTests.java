package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;
import org.springframework.web.reactive.DispatcherHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A method that returns a future waits for its lock on the thread of its caller, and runs
 * there.
 */
class LockedFutureTests {

	private final LockWorld world = new LockWorld();

	@Test
	void methodWaitsAndRunsOnTheThreadOfItsCaller() throws InterruptedException {
		Lease held = this.world.hold("x");
		LockedContexts.runner(this.world).withBean(Shop.class).run((context) -> {
			CompletableFuture<Thread> seen = new CompletableFuture<>();
			CountDownLatch returned = new CountDownLatch(1);
			Thread caller = new Thread(() -> {
				context.getBean(Shop.class).sell(() -> {
					seen.complete(Thread.currentThread());
					return new CompletableFuture<>();
				});
				returned.countDown();
			});
			caller.start();
			Awaitility.await().until(() -> this.world.redlock.waiters().containsKey("x"));
			assertThat(returned.getCount()).isOne();
			held.close();
			Awaitility.await().untilAsserted(() -> {
				this.world.time.advance(Duration.ofMillis(100));
				assertThat(seen).isCompletedWithValue(caller);
			});
			caller.join();
			assertThat(this.world.isHeld("x")).isTrue();
		});
	}

	@Test
	void callOnAThreadThatMustNotBlockIsRefusedThroughItsFuture() {
		LockedContexts.runner(this.world).withBean(Shop.class).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			CompletableFuture<CompletableFuture<String>> ofNetty = new CompletableFuture<>();
			new FastThreadLocalThread(() -> ofNetty.complete(shop.sell(CompletableFuture::new))).start();
			CompletableFuture<String> ofReactor = Mono.fromSupplier(() -> shop.sell(CompletableFuture::new))
				.subscribeOn(Schedulers.parallel())
				.block();
			for (CompletableFuture<String> answer : List.of(ofReactor, ofNetty.join())) {
				assertThat(answer).isCompletedExceptionally();
				assertThat(answer.handle((value, failure) -> failure).join()).isInstanceOf(IllegalStateException.class)
					.hasMessageContaining("Shop.sell")
					.hasMessageContaining("must not block. Return a Mono");
			}
			assertThat(this.world.isHeld("x")).isFalse();
		});
	}

	@Test
	void anExceptionOfTheConditionOrOfTheUnlockedMethodComesThroughTheFuture() {
		LockedContexts.runner(this.world).withBean(Shop.class).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(shop.sellIf(null, CompletableFuture::new)).isCompletedExceptionally();
			CompletableFuture<String> unlocked = shop.sellIf("", () -> {
				throw new IllegalStateException("of the method");
			});
			assertThat(unlocked.handle((value, failure) -> failure).join()).hasMessage("of the method");
			assertThat(shop.sellIf("", () -> CompletableFuture.completedFuture("sold"))).isCompletedWithValue("sold");
		});
	}

	@Test
	void handlersOfWebFluxAndGraphQlAreRefusedAtStart() {
		LockedContexts.runner(this.world)
			.withBean("webHandler", DispatcherHandler.class)
			.withBean(Handler.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageContaining("Return a Mono"));
		LockedContexts.runner(this.world).withBean(Handler.class).run((context) -> assertThat(context).hasNotFailed());
		LockedContexts.runner(this.world)
			.withBean(Schema.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRedLockException.class)
				.hasMessageContaining("Return a Mono"));
	}

	static class Shop {

		@RedLock(resource = "x", waitFor = "5s")
		public CompletableFuture<String> sell(Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

		@RedLock(resource = "x", condition = "#sku.length() > 0")
		public CompletableFuture<String> sellIf(String sku, Supplier<CompletableFuture<String>> body) {
			return body.get();
		}

	}

	@Controller
	static class Handler {

		@RedLock("x")
		public CompletableFuture<String> sell() {
			return new CompletableFuture<>();
		}

	}

	static class Schema {

		@SchemaMapping
		@RedLock("x")
		public CompletableFuture<String> sell() {
			return new CompletableFuture<>();
		}

	}

}
