package dev.redlock.docs.snippets;

import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.job.RedLockJob;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * What the page about the annotation shows. {@link AnnotatedShopTests} calls all of it.
 */
@Component
class AnnotatedShop {

	private final AtomicInteger runs = new AtomicInteger();

	/**
	 * What has been done so far. A method, as the fields of a proxy are empty.
	 */
	public int runs() {
		return this.runs.get();
	}

	// region: annotation-names
	@RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "2s")
	public void sell(String sku, int quantity) {
		this.runs.addAndGet(quantity);
	}

	@RedLock({ "account:#{#from}", "account:#{#to}" })
	public void transfer(String from, String to) {
		this.runs.incrementAndGet();
	}

	// endregion

	// region: scheduled-job
	@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
	@RedLockJob(value = "night-run", maxHold = "30m")
	public void nightRun() {
		this.runs.incrementAndGet();
	}

	// endregion

	@RedLock(resource = "report:#{#month}", waitFor = "0", fallback = "inProgress")
	public String report(String month) {
		return "report of " + month;
	}

	private String inProgress(String month, LockNotAcquiredException reason) {
		return month + " is being written by " + reason.holder().orElse("another process");
	}

}
