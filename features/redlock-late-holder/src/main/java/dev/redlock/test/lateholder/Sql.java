package dev.redlock.test.lateholder;

import java.util.regex.Pattern;

/**
 * Tells from the text of an SQL statement whether the statement writes.
 */
final class Sql {

	private static final int LONGEST = 60;

	private static final Pattern READ = Pattern.compile("\\W*(select|values|show|explain|with|set|call identity)\\b.*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern WRITE = Pattern
		.compile("\\b(insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|merge\\s+into)\\b", Pattern.CASE_INSENSITIVE);

	private Sql() {
	}

	/**
	 * An unknown kind of SQL statement counts as a write.
	 */
	static boolean writes(String sql) {
		return !READ.matcher(sql).matches() || WRITE.matcher(sql).find();
	}

	static String shorten(String sql) {
		String line = sql.strip().replaceAll("\\s+", " ");
		return (line.length() <= LONGEST) ? line : line.substring(0, LONGEST - 1) + "…";
	}

}
