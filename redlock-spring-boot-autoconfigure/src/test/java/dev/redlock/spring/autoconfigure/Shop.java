package dev.redlock.spring.autoconfigure;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockAssert;

class Shop {

	@RedLock("stock:#{#sku}")
	public String sell(String sku) {
		RedLockAssert.assertLocked("stock:" + sku);
		return "sold " + sku;
	}

}
