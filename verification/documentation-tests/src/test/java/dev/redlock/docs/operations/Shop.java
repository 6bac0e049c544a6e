package dev.redlock.docs.operations;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.job.RedLockJob;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * Sells one article at a time.
 */
class Shop {

	@RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "0")
	public String buy(String sku) {
		return "sold " + sku;
	}

	@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
	@RedLockJob("report")
	public void report() {
	}

}
