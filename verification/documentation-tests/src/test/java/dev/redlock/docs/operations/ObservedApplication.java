package dev.redlock.docs.operations;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A web application that sells under a lock, and can be watched.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
class ObservedApplication {

	@Bean
	Shop shop() {
		return new Shop();
	}

	@RestController
	static class ShopController {

		private final Shop shop;

		ShopController(Shop shop) {
			this.shop = shop;
		}

		@PostMapping("/buy/{sku}")
		String buy(@PathVariable String sku) {
			return this.shop.buy(sku);
		}

	}

}
