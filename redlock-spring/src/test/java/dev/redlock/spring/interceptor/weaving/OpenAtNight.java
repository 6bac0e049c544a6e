package dev.redlock.spring.interceptor.weaving;

import dev.redlock.spring.annotation.RedLock;

/**
 * A class whose locked method subclasses in other packages cannot override.
 */
public class OpenAtNight {

	@RedLock("x")
	void sell() {
	}

}
