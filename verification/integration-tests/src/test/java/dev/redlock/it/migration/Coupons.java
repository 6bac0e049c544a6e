package dev.redlock.it.migration;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.annotation.RedLock;

/**
 * What used to be done with lock4j.
 */
class Coupons {

	private final Ledger ledger;

	Coupons(Ledger ledger) {
		this.ledger = ledger;
	}

	@RedLock(resource = "coupon:#{#user}:#{#coupon}", ttl = "60s", waitFor = "1s", fallback = "tooManyAtOnce")
	public String redeem(String user, String coupon) {
		this.ledger.write(coupon);
		return "redeemed";
	}

	private String tooManyAtOnce(String user, String coupon, LockNotAcquiredException reason) {
		return (reason.reason() == LockNotAcquiredException.Reason.HELD) ? "being redeemed" : "try again later";
	}

}
