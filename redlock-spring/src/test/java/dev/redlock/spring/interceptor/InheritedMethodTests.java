package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Methods that a bean has from a superclass.
 */
class InheritedMethodTests {

	private final LockWorld world = new LockWorld();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void annotationOnAnInterfaceLocksWhatASuperclassImplementsThatDoesNotKnowIt(boolean proxyTargetClass) {
		LockedContexts.runner(this.world)
			.withPropertyValues("spring.aop.proxy-target-class=" + proxyTargetClass)
			.withBean(Kiosk.class)
			.run((context) -> assertThat(context.getBean(Sells.class).sell("42")).isEqualTo("[kiosk:42]"));
	}

	@Test
	void annotationOnAnInterfaceUsesTheParameterNamesOfTheInterface() {
		LockedContexts.runner(this.world)
			.withBean(Archive.class)
			.run((context) -> assertThat(context.getBean(Archive.class).copy("1", "2")).isEqualTo("[file:1]"));
	}

	@Test
	void publicMethodOfAHiddenSuperclassIsLocked() {
		LockedContexts.with(this.world, Shop.class, (shop) -> assertThat(shop.sell("42")).isEqualTo("[shop:42]"));
	}

	@Test
	void genericMethodThatIsOverriddenIsLocked() {
		LockedContexts.runner(this.world).withBean(Orders.class).run((context) -> {
			Store<String> store = context.getBean(Orders.class);
			assertThat(store.save("42")).isEqualTo("[store:42]");
		});
	}

	@Test
	void lockIsHeldForTheTypeThatTheBeanGivesToAGenericReturnType() {
		LockedContexts.runner(this.world).withBean(MonoWork.class).withBean(FutureWork.class).run((context) -> {
			Supplier<String> held = () -> this.world.isHeld("work") ? "held" : "not held";
			assertThat(context.getBean(MonoWork.class).run(Mono.fromSupplier(held)).block()).isEqualTo("held");
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> answer = context.getBean(FutureWork.class).run(work);
			assertThat(this.world.isHeld("work")).isTrue();
			work.complete("done");
			assertThat(answer).isCompletedWithValue("done");
			assertThat(this.world.isHeld("work")).isFalse();
		});
	}

	@Test
	void skippedCallReturnsTheEmptyValueOfTheTypeThatTheBeanGivesToAGenericReturnType() {
		LockedContexts.runner(this.world).withBean(MonoWork.class).withBean(FutureWork.class).run((context) -> {
			this.world.hold("work");
			assertThat(context.getBean(MonoWork.class).skip(Mono.just("must not run")).blockOptional()).isEmpty();
			assertThat(context.getBean(FutureWork.class).skip(CompletableFuture.completedFuture("must not run")))
				.isCompletedWithValue(null);
		});
	}

	private static String held() {
		return CurrentLease.get().map((lease) -> lease.resources().toString()).orElse("nothing");
	}

	interface Sells {

		@RedLock("kiosk:#{#sku}")
		String sell(String sku);

	}

	static class Seller {

		public String sell(String item) {
			return held();
		}

	}

	static class Kiosk extends Seller implements Sells {

	}

	interface Copies {

		@RedLock("file:#{#id}")
		String copy(String id, String newId);

	}

	static class Archive implements Copies {

		@Override
		public String copy(String oldId, String id) {
			return held();
		}

	}

	abstract static class HiddenShop {

		@RedLock("shop:#{#sku}")
		public String sell(String sku) {
			return held();
		}

	}

	public static class Shop extends HiddenShop {

	}

	abstract static class Store<T> {

		@RedLock("store:#{#it}")
		abstract String save(T it);

	}

	static class Orders extends Store<String> {

		@Override
		String save(String it) {
			return held();
		}

	}

	abstract static class Work<R> {

		@RedLock("work")
		public R run(R work) {
			return work;
		}

		@RedLock(resource = "work", waitFor = "0", onFailure = RedLock.OnFailure.SKIP)
		public R skip(R work) {
			return work;
		}

	}

	static class MonoWork extends Work<Mono<String>> {

	}

	static class FutureWork extends Work<CompletableFuture<String>> {

	}

}
