package dev.redlock.spring.internal.read;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import org.junit.jupiter.api.Test;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedLockSpecTests {

	private final SpecReading reading = new SpecReading(Map.of("stock.ttl", "7s", "node", "a"));

	@Test
	void attributesThatAreNotSetAreLeftToTheSettings() {
		assertThat(this.reading.request(new Stock(), "plain"))
			.isEqualTo(LockRequest.of("x").withOrigin("RedLockSpecTests.Stock.plain"));
	}

	@Test
	void attributesReachTheRequest() {
		assertThat(this.reading.request(new Stock(), "full")).isEqualTo(LockRequest.of("x")
			.withTtl(Duration.ofSeconds(10))
			.withWaitFor(Duration.ofSeconds(2))
			.withRetryCount(-1)
			.withRetryDelay(Duration.ofMillis(50))
			.withClockDriftFactor(0.02)
			.withInstances("a", "b")
			.withRenew(true)
			.withMaxHold(Duration.ofMinutes(1))
			.withAtLeast(Duration.ofSeconds(3))
			.withOnLoss(LossPolicy.INTERRUPT)
			.withOrigin("RedLockSpecTests.Stock.full"));
	}

	@Test
	void numbersWithoutAUnitAreMillisecondsFromOneHundredOn() {
		LockRequest request = this.reading.request(new Stock(), "withoutUnits");
		assertThat(request.ttl()).hasMillis(10_000);
		assertThat(request.waitFor()).isZero();
		assertThat(request.retryDelay()).hasMillis(100);
	}

	@Test
	void placeholdersAreResolvedInDurationsAndInstances() {
		LockRequest request = this.reading.request(new Stock(), "placeholders");
		assertThat(request.ttl()).hasSeconds(7);
		assertThat(request.waitFor()).isZero();
		assertThat(request.instances()).containsExactly("a");
	}

	@Test
	void attributesWhosePlaceholdersAreEmptyAreLeftToTheSettings() {
		assertThat(this.reading.request(new Stock(), "emptyPlaceholders").ttl()).isNull();
		assertThat(this.reading.meetsCondition(new Stock(), "emptyPlaceholders")).isTrue();
	}

	@Test
	void conditionDecidesWithOrWithoutBraces() {
		Stock stock = new Stock();
		assertThat(this.reading.meetsCondition(stock, "conditional", 11)).isTrue();
		assertThat(this.reading.meetsCondition(stock, "conditional", 1)).isFalse();
		assertThat(this.reading.meetsCondition(stock, "conditionalWithBraces", 1)).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.reading.meetsCondition(stock, "undecided", 1))
			.withMessageContaining("neither true nor false");
	}

	@Test
	void annotationIsFoundOnInterfacesWithTheirParameterNames() {
		assertThat(this.reading.request(new Shop(), "sell", "42").resources()).containsExactly("shop:42");
	}

	@Test
	void annotationOfTheUsersOwnPassesAttributesOn() {
		LockRequest request = this.reading.request(new Stock(), "meta", "42");
		assertThat(request.resources()).containsExactly("stock:42");
		assertThat(request.ttl()).hasSeconds(3);
		assertThat(request.waitFor()).isZero();
	}

	@Test
	void annotationOnATypeCoversItsPublicMethodsOnly() throws Exception {
		assertThat(AnnotatedMethod.find(Annotated.class.getMethod("open"), Annotated.class)).isPresent();
		assertThat(AnnotatedMethod.find(Annotated.class.getMethod("toString"), Annotated.class)).isEmpty();
		assertThat(AnnotatedMethod.find(Annotated.class.getMethod("fixed"), Annotated.class)).isEmpty();
		assertThat(AnnotatedMethod.find(Annotated.class.getDeclaredMethod("hidden"), Annotated.class)).isEmpty();
	}

	@Test
	void annotationOnTheMethodWinsOverThatOnTheType() {
		assertThat(this.reading.request(new Annotated(), "open").resources()).containsExactly("method");
	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@RedLock(resource = "stock:#{#sku}", waitFor = "0")
	@interface StockLock {

		@AliasFor(annotation = RedLock.class)
		String ttl() default "";

	}

	interface Sells {

		@RedLock("shop:#{#sku}")
		void sell(String sku);

	}

	static class Shop implements Sells {

		@Override
		public void sell(String id) {
		}

	}

	@RedLock("type")
	static class Annotated {

		@RedLock("method")
		public void open() {
		}

		public static void fixed() {
		}

		void hidden() {
		}

		@Override
		public String toString() {
			return "annotated";
		}

	}

	static class Stock {

		@RedLock("x")
		void plain() {
		}

		@RedLock(resource = "x", ttl = "10s", waitFor = "PT2S", retryCount = -1, retryDelay = "50ms",
				clockDriftFactor = 0.02, instances = { "a", "b" }, renew = RedLock.Renew.ON, maxHold = "1m",
				atLeast = "3000", onLoss = RedLock.OnLoss.INTERRUPT)
		void full() {
		}

		@RedLock(resource = "x", ttl = "10000", waitFor = "0", retryDelay = "100")
		void withoutUnits() {
		}

		@RedLock(resource = "x", ttl = "${stock.ttl}", waitFor = "${stock.wait:0}", instances = "${node}")
		void placeholders() {
		}

		@RedLock(resource = "x", ttl = "${nowhere:}", condition = "${nowhere:}")
		void emptyPlaceholders() {
		}

		@RedLock(resource = "x", condition = "#quantity > 10")
		void conditional(int quantity) {
		}

		@RedLock(resource = "x", condition = "#{#quantity > 10}")
		void conditionalWithBraces(int quantity) {
		}

		@RedLock(resource = "x", condition = "#quantity")
		void undecided(int quantity) {
		}

		@StockLock(ttl = "3s")
		void meta(String sku) {
		}

	}

}
