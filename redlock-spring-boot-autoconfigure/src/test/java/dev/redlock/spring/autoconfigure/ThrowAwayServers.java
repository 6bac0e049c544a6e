package dev.redlock.spring.autoconfigure;

import java.util.Map;

record ThrowAwayServers(Map<String, Node> getNodes) implements RedlockConnectionDetails {

	@Override
	public boolean isThrowAway() {
		return true;
	}

}
