package dev.redlock.lettuce.internal.facts;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the errors that Redis servers answer.
 */
public final class ServerErrors {

	public static final String NOSCRIPT = "NOSCRIPT";

	private static final String NOPERM = "NOPERM";

	/**
	 * The error code of a script that found the server restarted or its data replaced.
	 */
	public static final String STALE = "STALE";

	public static final String UNANNOUNCED = "The release of a lock could not be announced";

	private static final Set<String> MISCONFIGURED = Set.of("OOM", "MISCONF", "NOREPLICAS", "READONLY", NOPERM,
			"NOAUTH", "WRONGPASS", "WRONGTYPE");

	/**
	 * What to do about a server that refuses writes, by the error code of the server.
	 */
	private static final Map<String, String> WRITES_REFUSED = Map.of("OOM",
			": the memory of the server is full. Raise its maxmemory, or delete keys that are not needed", "MISCONF",
			": the server cannot write to its disk. See the log of the server", "NOREPLICAS",
			": lower min-replicas-to-write of the server, or bring its replicas back");

	private static final Set<String> UNAVAILABLE = Set.of("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "MOVED",
			"ASK", "TRYAGAIN");

	private static final Set<String> ANOTHER_ROLE = Set.of(NOSCRIPT, STALE, "READONLY");

	private static final Pattern REFUSED_COMMAND = Pattern.compile("permissions to run the '([^' ]+)' command");

	private ServerErrors() {
	}

	public static Faulted fault(String error) {
		String said = withoutArguments(error);
		String remedy = remedy(error);
		boolean dotted = !remedy.isEmpty() && said.endsWith(".");
		return new Faulted(kind(error),
				"Redis said: " + (dotted ? said.substring(0, said.length() - 1) : said) + remedy, false);
	}

	public static boolean is(String code, String error) {
		return code.equals(code(error));
	}

	/**
	 * Whether the error says that the server runs no commands at the moment.
	 */
	public static boolean isBusy(String error) {
		return UNAVAILABLE.contains(code(error));
	}

	/**
	 * Whether the error says that the server or its data may have changed since the last
	 * check.
	 */
	public static boolean asksForCheck(String error) {
		return ANOTHER_ROLE.contains(code(error));
	}

	/**
	 * Whether the error says that other members of the cluster serve the keys now.
	 */
	public static boolean asksForReconnect(String error) {
		return "MOVED".equals(code(error)) || error.contains("non local key");
	}

	public static boolean refusesWrites(String error) {
		return WRITES_REFUSED.containsKey(code(error));
	}

	/**
	 * Whether the error says that the Redis user lacks a right; Redis before 7.2 words
	 * this differently inside scripts.
	 */
	public static boolean isNoPermission(String error) {
		return NOPERM.equals(code(error)) || error.contains("ACL failure in script")
				|| error.contains("The user executing the script can't");
	}

	/**
	 * Returns why the server rejected the user name or the password, or null for another
	 * error.
	 */
	static @Nullable String credentials(String error) {
		String code = code(error);
		if ("WRONGPASS".equals(code) || error.contains("invalid username-password pair")
				|| error.startsWith("ERR invalid password")) {
			return "The server does not accept the user name or the password (WRONGPASS)";
		}
		// A server that needs a password refuses long commands before the client has sent
		// the password.
		if ("NOAUTH".equals(code) || error.contains("Protocol error: unauthenticated")) {
			return "The server asks for a user name or password and got none (NOAUTH)";
		}
		return null;
	}

	/**
	 * Returns a server's error without the arguments of the command, which may contain a
	 * token.
	 */
	static String withoutArguments(String error) {
		return error.split(", with args| script: ", 2)[0];
	}

	private static String remedy(String error) {
		String refusesWrites = WRITES_REFUSED.get(code(error));
		if (refusesWrites != null) {
			return refusesWrites;
		}
		Matcher refused = REFUSED_COMMAND.matcher(error);
		return refused.find() ? ": add +" + refused.group(1) + " to the ACL rules of the Redis user" : "";
	}

	private static Fault kind(String error) {
		String code = code(error);
		if (NOSCRIPT.equals(code) || STALE.equals(code)) {
			return Fault.STALE;
		}
		if (MISCONFIGURED.contains(code) || isNoPermission(error)) {
			return Fault.MISCONFIGURED;
		}
		return isBusy(error) ? Fault.UNAVAILABLE : Fault.ERROR;
	}

	private static String code(String error) {
		int space = error.indexOf(' ');
		return (space > 0) ? error.substring(0, space) : error;
	}

}
