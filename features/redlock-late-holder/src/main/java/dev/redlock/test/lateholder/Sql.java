package dev.redlock.test.lateholder;

import java.util.regex.Pattern;

/**
 * Tells from the text of an SQL statement whether the statement writes.
 */
final class Sql {

	private static final int LONGEST = 60;

	private static final Pattern TEXT_OR_LOCK = Pattern.compile(
			"([\"'`]).*?\\1|--[^\n]*|/\\*.*?\\*/|\\bfor\\s+(no\\s+key\\s+)?update\\b",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern READ = Pattern.compile("\\W*(select|values|show|explain|with|set|call identity)\\b.*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern WRITE = Pattern.compile("\\b(into|update|delete|merge(?!\\s+(join|union)))\\b",
			Pattern.CASE_INSENSITIVE);

	private Sql() {
	}

	/**
	 * An unknown kind of SQL statement counts as a write.
	 */
	static boolean writes(String sql) {
		String statement = TEXT_OR_LOCK.matcher(sql).replaceAll(" ");
		return !READ.matcher(statement).matches() || WRITE.matcher(statement).find();
	}

	static String shorten(String sql) {
		String line = sql.strip().replaceAll("\\s+", " ");
		return (line.length() <= LONGEST) ? line : line.substring(0, LONGEST - 1) + "…";
	}

}
