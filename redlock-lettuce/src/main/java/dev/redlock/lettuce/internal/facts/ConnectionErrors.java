package dev.redlock.lettuce.internal.facts;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a connection to a Redis server failed, or why a command got no answer.
 */
public final class ConnectionErrors {

	public static final RedisException CLOSED = new RedisException("The connection was closed");

	/**
	 * Finds the address of a server in a Lettuce exception's message, which may also
	 * contain the password.
	 */
	private static final Pattern PLACE = Pattern
		.compile("(?:onnect to|Sentinel at|partitions from) \\[?(?:rediss?://)?(?:\\S*@)?"
				+ "([^\\s@/\\[\\],]+)(?:/[^:\\s]*)?:(\\d{1,5})");

	private static final int LONGEST_CHAIN = 20;

	private ConnectionErrors() {
	}

	/**
	 * Reads from the message of Lettuce's exception whether the server may have run the
	 * command.
	 */
	public static Faulted fault(Throwable cause) {
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
	 * Returns the message of the innermost cause, or advice if TLS caused the failure.
	 */
	public static String describe(Throwable failure) {
		List<Throwable> causes = causes(failure);
		String tls = TlsErrors.explain(causes);
		if (tls != null) {
			return tls;
		}
		Throwable root = causes.get(causes.size() - 1);
		String message = root.getMessage();
		return (message != null) ? ServerErrors.withoutArguments(message) : root.getClass().getSimpleName();
	}

	public static String whyNotConnected(Throwable failure) {
		String place = null;
		UnknownHostException unknownHost = null;
		for (Throwable cause : causes(failure)) {
			String named = place(cause);
			place = (named != null) ? named : place;
			unknownHost = (cause instanceof UnknownHostException unknown) ? unknown : unknownHost;
		}
		String why = (unknownHost != null) ? "unknown host. Check the name of the host" : connectProblem(failure);
		return (place != null) ? "Cannot connect to " + place + ": " + why : why;
	}

	/**
	 * Returns why a server rejected the user name or the password, or null for any other
	 * failure.
	 */
	public static @Nullable String credentials(Throwable failure) {
		return ServerErrors.credentials(describe(failure));
	}

	public static boolean isAboutSentinel(Throwable failure) {
		return String.valueOf(failure.getMessage()).contains("Redis Sentinel");
	}

	/**
	 * Returns the probable cause of a connection failure, for example an unexpected use
	 * of TLS.
	 */
	private static String connectProblem(Throwable failure) {
		String described = describe(failure);
		List<Throwable> causes = causes(failure);
		if (causes.get(causes.size() - 1) instanceof ConnectException && "Connection refused".equals(described)) {
			return "Connection refused. No server listens on this port";
		}
		if (described.startsWith("Connection initialization timed out")) {
			return "The server accepts connections and does not answer (" + described
					+ "): the server is frozen, this machine is too busy, or the server does not speak "
					+ "TLS on this port";
		}
		if (described.startsWith("Connection reset") || described.startsWith("Connection closed prematurely")) {
			return "The server closes connections at once (" + described + "): the server is shutting down, or it "
					+ "expects TLS on this port, so turn on the instance's ssl";
		}
		if (described.startsWith("Invalid first byte")) {
			return "A service other than Redis answers on this port (" + described + "). Check the host and the port";
		}
		if (described.contains("cluster support disabled")) {
			return "The server is not a member of a Redis Cluster: use host instead of cluster.nodes";
		}
		return described;
	}

	/**
	 * Returns the failure and its causes, the innermost cause last. For a cluster,
	 * Lettuce tries several addresses and suppresses all failures but one.
	 */
	private static List<Throwable> causes(Throwable failure) {
		List<Throwable> causes = new ArrayList<>();
		Throwable next = failure;
		// An exception may be among its own causes, so the number of causes is limited.
		while (next != null && causes.size() < LONGEST_CHAIN) {
			causes.add(next);
			Throwable cause = next.getCause();
			boolean severalAddresses = cause == null && next.getSuppressed().length > 0 && place(next) != null;
			next = severalAddresses ? next.getSuppressed()[0] : cause;
		}
		return causes;
	}

	private static @Nullable String place(Throwable failure) {
		Matcher place = PLACE.matcher(String.valueOf(failure.getMessage()));
		if (!place.find()) {
			return null;
		}
		String host = place.group(1);
		return ((host.indexOf(':') >= 0) ? "[" + host + "]" : host) + ":" + place.group(2);
	}

}
