package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Clock;
import java.util.List;

import dev.redlock.Redlock;

/**
 * What the endpoint says, as text.
 */
public final class EndpointAnswers {

	private EndpointAnswers() {
	}

	/**
	 * Returns the answers about the lock and about one resource.
	 */
	public static List<String> of(Redlock redlock) {
		RedlockEndpoint endpoint = new RedlockEndpoint(redlock, Clock.systemUTC());
		return List.of(endpoint.lock().toString(), endpoint.resource(null, null, "r").toString());
	}

}
