package dev.redlock.test;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockAssert;

/**
 * A service whose method needs its lock.
 */
class Orders {

	@RedLock("orders:#{#article}")
	public String place(String article) {
		RedLockAssert.assertLocked("orders:" + article);
		return "placed " + article;
	}

}
