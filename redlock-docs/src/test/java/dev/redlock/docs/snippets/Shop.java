package dev.redlock.docs.snippets;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.stereotype.Service;

// region: first-lock
@Service
class Shop {

	private final Map<String, Integer> stock = new ConcurrentHashMap<>();

	@RedLock(resource = "stock:#{#sku}", ttl = "10s")
	public void reserve(String sku) {
		this.stock.merge(sku, 1, (left, one) -> left - one);
	}

}
// endregion
