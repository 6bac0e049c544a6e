package dev.redlock.spring.interceptor;

import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveFallbackTests {

	private final LockWorld world = new LockWorld();

	@Test
	void theFallbackIsCalledAlsoIfTheCallerContinuesOnErrors() {
		Lease held = this.world.other.attemptAndWait(this.world.now("stock:1")).orThrow();
		LockedContexts.runner(this.world).withBean(Stock.class).run((context) -> {
			Stock stock = context.getBean(Stock.class);
			List<String> plain = Flux.just("1", "2").concatMap(stock::sell).collectList().block();
			assertThat(plain).containsExactly("later 1", "sold 2");
			List<String> continued = Flux.just("1", "2").concatMap(stock::sell).onErrorContinue((failure, value) -> {
			}).collectList().block();
			assertThat(continued).containsExactly("later 1", "sold 2");
		});
		held.close();
	}

	static class Stock {

		@RedLock(resource = "stock:#{#sku}", waitFor = "0", fallback = "later")
		public Mono<String> sell(String sku) {
			return Mono.just("sold " + sku);
		}

		Mono<String> later(String sku) {
			return Mono.just("later " + sku);
		}

	}

}
