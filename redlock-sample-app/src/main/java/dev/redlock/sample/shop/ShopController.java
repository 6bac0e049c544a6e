package dev.redlock.sample.shop;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the shop over HTTP, for {@code curl}.
 */
@RestController
class ShopController {

	private final FlashSale sale;

	private final StockBooks books;

	private final Customer customer;

	ShopController(FlashSale sale, StockBooks books, @Value("${flash-sale.think-time:40ms}") Duration thinkTime) {
		this.sale = sale;
		this.books = books;
		this.customer = () -> LockSupport.parkNanos(thinkTime.toNanos());
	}

	@PostMapping("/buy/{sku}")
	Sale buy(@PathVariable String sku) {
		return this.sale.buy(sku, this.customer);
	}

	@PostMapping("/buy-unlocked/{sku}")
	Sale buyUnlocked(@PathVariable String sku) {
		return this.sale.buyUnlocked(sku, this.customer);
	}

	@PostMapping("/stock/{sku}")
	Stock reset(@PathVariable String sku, @RequestParam(defaultValue = "50") int units) {
		return this.books.reset(sku, units);
	}

	@GetMapping("/stock/{sku}")
	Stock stock(@PathVariable String sku) {
		return this.books.find(sku);
	}

}
