package dev.redlock.spring.redis;

import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisException;

/**
 * Sorts what can happen to a command between the caller and the server.
 */
final class CommandErrors {

	/**
	 * The connection was closed while the command was under way.
	 */
	static final RedisException CLOSED = new RedisException("The connection was closed");

	private CommandErrors() {
	}

	/**
	 * Lettuce has no types for a command that it did not even try to send, only these
	 * messages. For anything else the worst is assumed: that the command was carried out.
	 */
	static Faulted fault(Throwable cause) {
		String message = String.valueOf(cause.getMessage());
		if (message.startsWith("Request queue size exceeded") || message.startsWith("Internal stack size exceeded")) {
			return new Faulted(Fault.UNAVAILABLE, "Too many commands wait for the server", false);
		}
		if (message.startsWith("Currently not connected") || message.startsWith("Connection is closed")) {
			return new Faulted(Fault.UNAVAILABLE, "Not connected", false);
		}
		if (cause == CLOSED) {
			return new Faulted(Fault.UNAVAILABLE, message, true);
		}
		return new Faulted(Fault.UNAVAILABLE, "The connection was lost: " + describe(cause), true);
	}

	/**
	 * The innermost message, without what Redis repeats of a command; or what to do,
	 * where it is known.
	 */
	static String describe(Throwable failure) {
		String tls = TlsErrors.explain(failure);
		if (tls != null) {
			return tls;
		}
		Throwable root = failure;
		// Bounded, as a cause may be its own cause's cause.
		for (int depth = 0; depth < 10 && root.getCause() != null; depth++) {
			root = root.getCause();
		}
		String message = root.getMessage();
		return (message != null) ? ServerErrors.withoutArguments(message) : root.getClass().getSimpleName();
	}

}
