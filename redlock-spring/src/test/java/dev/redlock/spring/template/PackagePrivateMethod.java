package dev.redlock.spring.template;

import dev.redlock.spring.annotation.RedLock;

public abstract class PackagePrivateMethod {

	@RedLock("x")
	void sell(String sku) {
	}

}
