package dev.redlock.lettuce;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.jspecify.annotations.Nullable;

/**
 * Classifies the errors that Redis answers.
 */
final class ServerErrors {

	static final String NOSCRIPT = "NOSCRIPT";

	private static final String NOPERM = "NOPERM";

	/**
	 * The error of our own scripts when the marker is not the one that was checked.
	 */
	static final String STALE = "STALE";

	/**
	 * Stands for the errors inside of a release that nevertheless took place.
	 */
	static final String UNANNOUNCED = "A release could not be announced";

	private static final Set<String> MISCONFIGURED = Set.of("OOM", "MISCONF", "NOREPLICAS", "READONLY", NOPERM,
			"NOAUTH", "WRONGPASS", "WRONGTYPE");

	/**
	 * Says what to do about a server that takes no writes.
	 */
	private static final Map<String, String> WRITES_REFUSED = Map.of("OOM",
			": its memory is full. Raise its maxmemory, or delete what is not needed", "MISCONF",
			": it cannot write to its disk. See its log", "NOREPLICAS",
			": lower its min-replicas-to-write, or bring its replicas back");

	private static final Set<String> UNAVAILABLE = Set.of("LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "MOVED",
			"ASK", "TRYAGAIN");

	private static final Set<String> ANOTHER_ROLE = Set.of(NOSCRIPT, STALE, "READONLY");

	private static final Pattern REFUSED_COMMAND = Pattern.compile("permissions to run the '([^' ]+)' command");

	private static final Pattern UNKNOWN_COMMAND = Pattern
		.compile("(?i)unknown (redis )?(sub)?command|not (available|supported|allowed|permitted)|unsupported|disabled");

	private static final Pattern UNDECLARED_KEY = Pattern
		.compile("(?i)(undeclared|not declared|non-declared) key|KEYS array");

	private ServerErrors() {
	}

	static Faulted fault(String error) {
		String said = withoutArguments(error);
		String remedy = remedy(error);
		boolean dotted = !remedy.isEmpty() && said.endsWith(".");
		return new Faulted(kind(error),
				"Redis said: " + (dotted ? said.substring(0, said.length() - 1) : said) + remedy, false);
	}

	static boolean isLoading(String error) {
		return "LOADING".equals(code(error));
	}

	/**
	 * Whether the server does not run commands at the moment.
	 */
	static boolean isBusy(String error) {
		return UNAVAILABLE.contains(code(error));
	}

	/**
	 * Whether the server may not be the one that was checked any more.
	 */
	static boolean asksForCheck(String error) {
		return ANOTHER_ROLE.contains(code(error));
	}

	/**
	 * Whether other members of the cluster serve the keys now.
	 */
	static boolean asksForReconnect(String error) {
		return "MOVED".equals(code(error)) || error.contains("non local key");
	}

	/**
	 * Whether the server refuses all writes of all users.
	 */
	static boolean refusesWrites(String error) {
		return WRITES_REFUSED.containsKey(code(error));
	}

	/**
	 * Whether the server refuses what needs memory, which an extension does not.
	 */
	static boolean isOutOfMemory(String error) {
		return "OOM".equals(code(error));
	}

	/**
	 * Whether the user lacks a right. Inside a script, versions before 7.2 use other
	 * words for it.
	 */
	static boolean isNoPermission(String error) {
		return NOPERM.equals(code(error)) || error.contains("ACL failure in script")
				|| error.contains("The user executing the script can't");
	}

	/**
	 * Whether the user lacks the right to the keys or channels of a command, not to the
	 * command.
	 */
	static boolean isNoPermissionForTarget(String error) {
		return isNoPermission(error) && !error.contains("permissions to run the")
				&& !error.contains("can't run this command");
	}

	/**
	 * Whether the server has no such command, or does not run it for any user.
	 */
	static boolean isUnknownCommand(String error) {
		return isUncoded(error) && UNKNOWN_COMMAND.matcher(error).find();
	}

	/**
	 * Whether an error has no code of its own and is not about rights, or about keys of
	 * another member of a cluster.
	 */
	static boolean isUncoded(String error) {
		return "ERR".equals(code(error)) && !isNoPermission(error) && credentials(error) == null
				&& !error.contains("non local key") && !error.contains("same slot");
	}

	/**
	 * Whether a script may only use keys that it was given.
	 */
	static boolean isUndeclaredKey(String error) {
		return UNDECLARED_KEY.matcher(error).find();
	}

	static boolean isNoScript(String error) {
		return NOSCRIPT.equals(code(error));
	}

	/**
	 * Returns why the server rejected the user name or the password, or null for any
	 * other error.
	 */
	static @Nullable String credentials(String error) {
		String code = code(error);
		if ("WRONGPASS".equals(code) || error.contains("invalid username-password pair")
				|| error.startsWith("ERR invalid password")) {
			return "The server does not accept the user name or the password (WRONGPASS)";
		}
		// A server that needs a password refuses long commands before it gets one.
		if ("NOAUTH".equals(code) || error.contains("Protocol error: unauthenticated")) {
			return "The server asks for a user name or password and got none (NOAUTH)";
		}
		return null;
	}

	/**
	 * Returns an error without the part of the command that Redis repeats. It may contain
	 * a token.
	 */
	static String withoutArguments(String error) {
		int arguments = error.indexOf(", with args");
		return (arguments >= 0) ? error.substring(0, arguments) : error;
	}

	private static String remedy(String error) {
		String refusesWrites = WRITES_REFUSED.get(code(error));
		if (refusesWrites != null) {
			return refusesWrites;
		}
		Matcher refused = REFUSED_COMMAND.matcher(error);
		return refused.find() ? ": add +" + refused.group(1) + " to its ACL rules" : "";
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
