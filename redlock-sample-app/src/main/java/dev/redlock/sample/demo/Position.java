package dev.redlock.sample.demo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The position up to which a page has read the journal. The page sends it back when it
 * connects again.
 *
 * @param chapter the chapter; a new one begins with the application and with each reset
 * @param number the number of the last entry
 */
record Position(String chapter, long number) {

	private static final Pattern TEXT = Pattern.compile("([0-9a-z]{1,32})-([0-9]{1,18})");

	static final Position START = new Position("", 0);

	/**
	 * Parses the text of {@link #toString()}. Any other text is the start.
	 */
	static Position parse(@Nullable String text) {
		Matcher matcher = TEXT.matcher((text != null) ? text : "");
		return matcher.matches() ? new Position(matcher.group(1), Long.parseLong(matcher.group(2))) : START;
	}

	@Override
	public String toString() {
		return this.chapter + "-" + this.number;
	}

}
