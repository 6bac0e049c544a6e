package dev.redlock.spring.redis;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Says in words why no connection could be made, and to which host and port.
 */
final class ConnectErrors {

	/**
	 * Lettuce and Jedis name the server in the text of an exception only, and Lettuce
	 * puts user and password in front of it in some of them.
	 */
	private static final Pattern PLACE = Pattern
		.compile("(?:onnect to|Sentinel at|partitions from) \\[?(?:rediss?://)?(?:\\S*@)?"
				+ "([^\\s@/\\[\\],]+)(?:/[^:\\s]*)?:(\\d{1,5})");

	private static final int LONGEST_CHAIN = 20;

	private ConnectErrors() {
	}

	/**
	 * Why no connection could be made, with host and port where they are known.
	 */
	static String describe(Throwable failure) {
		String place = null;
		UnknownHostException unknownHost = null;
		Throwable cause = failure;
		for (int depth = 0; depth < LONGEST_CHAIN && cause != null; depth++) {
			String named = place(cause);
			place = (named != null) ? named : place;
			unknownHost = (cause instanceof UnknownHostException unknown) ? unknown : unknownHost;
			cause = next(cause);
		}
		if (unknownHost != null && place == null) {
			// Jedis does not say the port, and the JDK begins with the name of the host.
			place = String.valueOf(unknownHost.getMessage()).split(":", 2)[0];
		}
		String why = (unknownHost != null) ? "unknown host. Check the name of the host" : why(failure);
		return (place != null) ? "Cannot connect to " + place + ": " + why : why;
	}

	/**
	 * What the server has against the user name and password that it was given, or null
	 * if the failure is another one.
	 */
	static @Nullable String credentials(Throwable failure) {
		return ServerErrors.credentials(CommandErrors.describe(root(failure)));
	}

	/**
	 * Whether it was a sentinel, and not a Redis server, that could not be asked.
	 */
	static boolean isAboutSentinel(Throwable failure) {
		return String.valueOf(failure.getMessage()).contains("Redis Sentinel");
	}

	private static String why(Throwable failure) {
		Throwable root = root(failure);
		if (root instanceof ConnectException && "Connection refused".equals(root.getMessage())) {
			return "Connection refused. No server listens on this port";
		}
		return TlsErrors.whileConnecting((TlsErrors.explain(failure) != null) ? failure : root);
	}

	private static Throwable root(Throwable failure) {
		Throwable root = failure;
		Throwable next = next(root);
		for (int depth = 0; depth < LONGEST_CHAIN && next != null; depth++) {
			root = next;
			next = next(root);
		}
		return root;
	}

	/**
	 * Jedis, and Lettuce for clusters, try several addresses and suppress what each of
	 * them failed with. The first stands for all.
	 */
	private static @Nullable Throwable next(Throwable failure) {
		if (failure.getCause() != null || failure.getSuppressed().length == 0 || place(failure) == null) {
			return failure.getCause();
		}
		return failure.getSuppressed()[0];
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
