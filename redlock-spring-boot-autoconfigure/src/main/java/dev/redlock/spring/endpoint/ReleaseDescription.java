package dev.redlock.spring.endpoint;

import dev.redlock.ReleaseResult;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The result of a request to release a lease.
 *
 * @param resource the name of the resource
 * @param released whether its lease was ended
 * @param message an explanation for people
 */
record ReleaseDescription(String resource, boolean released, String message) implements OperationResponseBody {

	static ReleaseDescription of(String resource, ReleaseResult result) {
		return new ReleaseDescription(resource, true, "Released on " + result.released() + " of " + result.nodes()
				+ " nodes. Its holder was told that the lock is lost"
				+ (result.confirmed() ? "." : "; nodes that could not be reached keep it until its ttl is over."));
	}

	static ReleaseDescription notHeld(String resource) {
		return new ReleaseDescription(resource, false,
				"This instance holds no lease on it. A GET of the same path shows the holder. Send the DELETE to the"
						+ " endpoint of that instance.");
	}

	static ReleaseDescription disabled(String resource) {
		return new ReleaseDescription(resource, false,
				"Releasing is turned off. Set redlock.endpoint.release-enabled=true to turn it on.");
	}

}
