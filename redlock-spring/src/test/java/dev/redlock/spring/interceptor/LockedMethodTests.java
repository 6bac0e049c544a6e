package dev.redlock.spring.interceptor;

import java.lang.reflect.Proxy;
import java.util.Optional;

import dev.redlock.CurrentLease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class LockedMethodTests {

	private final LockWorld world = new LockWorld();

	@Test
	void conditionThatIsFalseRunsTheMethodWithoutTheLock() {
		LockedContexts.with(this.world, Stock.class, (stock) -> {
			this.world.hold("bulk");
			assertThat(stock.bulk(1)).isEqualTo(Optional.empty());
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> stock.bulk(11));
		});
	}

	@Test
	void skipAnswersWithNothing() {
		LockedContexts.with(this.world, Stock.class, (stock) -> {
			this.world.hold("skip");
			assertThat(stock.skipText()).isNull();
			stock.skipVoid();
			assertThat(stock.calls()).hasValue(0);
		});
	}

	@Test
	void skipDoesNotTouchALockFailureOfTheMethodItself() {
		LockedContexts.with(this.world, Stock.class, (stock) -> {
			this.world.hold("inner");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> stock.skipOuter(stock::inner))
				.withMessageContaining("inner");
		});
	}

	@Test
	void fallbackAnswersInstead() {
		LockedContexts.with(this.world, Stock.class, (stock) -> {
			this.world.hold("fall");
			assertThat(stock.fall("42")).isEqualTo("later 42");
			assertThat(stock.fallWithReason("42")).isEqualTo("42 is HELD");
			assertThat(stock.fallAsync("42")).isCompletedWithValue("later 42");
		});
	}

	@Test
	void exceptionOfTheFallbackReachesTheCallerUnchanged() {
		LockedContexts.with(this.world, Stock.class, (stock) -> {
			this.world.hold("fall");
			assertThat(catchThrowable(stock::fallAndFail)).isSameAs(Stock.OF_FALLBACK);
		});
	}

	@Test
	void annotationOnATypeLocksItsPublicMethods() {
		LockedContexts.with(this.world, Stock.Till.class, (till) -> assertThat(till.resources()).isEqualTo("[till]"));
	}

	@Test
	void annotationOnAnInterfaceLocksAProxyByInterfaces() {
		LockedContexts.runner(this.world)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("desk", Stock.Desk.class, Stock.TicketDesk::new)
			.run((context) -> {
				assertThat(context.getBean("desk")).isNotInstanceOf(Stock.TicketDesk.class);
				assertThat(context.getBean(Stock.Desk.class).sell("42")).isEqualTo("[desk:42]");
			});
	}

	@Test
	void originOfABeanWithoutAClassOfItsOwnIsItsInterface() {
		Stock.Desk lambda = (sku) -> this.world.redlock.leases().get(0).origin();
		Stock.Desk made = (Stock.Desk) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Stock.Desk.class }, (proxy, method, args) -> lambda.sell("42"));
		LockedContexts.runner(this.world)
			.withBean("lambda", Stock.Desk.class, () -> lambda)
			.withBean("made", Stock.Desk.class, () -> made)
			.run((context) -> assertThat(context.getBeansOfType(Stock.Desk.class).values())
				.extracting((desk) -> desk.sell("42"))
				.containsExactly("Stock.Desk.sell", "Stock.Desk.sell"));
	}

	@Test
	void beansThatReferToEachOtherAreLocked() {
		LockedContexts.runner(this.world)
			.withAllowCircularReferences(true)
			.withBean(Market.class)
			.withBean(Stall.class)
			.run((context) -> assertThat(context.getBean(Stall.class).market.open()).isEqualTo("[market]"));
	}

	@Test
	void mistakeOfABeanThatRefersToItselfIsFound() {
		LockedContexts.runner(this.world)
			.withAllowCircularReferences(true)
			.withBean(FinalMarket.class)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("the method is final"));
	}

	@Test
	void beanWithoutTheAnnotationGetsNoProxy() {
		LockedContexts.with(this.world, Stock.Office.class,
				(office) -> assertThat(office).hasSameClassAs(new Stock.Office()));
	}

	static class Market {

		@Autowired
		private Stall stall;

		@RedLock("market")
		public String open() {
			return CurrentLease.require().resources().toString();
		}

	}

	static class Stall {

		@Autowired
		private Market market;

	}

	static class FinalMarket {

		@Autowired
		private FinalMarket self;

		@RedLock("market")
		public final void open() {
		}

	}

}
