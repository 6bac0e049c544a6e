package dev.redlock.nemesis;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * One operation of a history in the form of Jepsen: a map in EDN on one line. Values are
 * numbers, strings, keywords, vectors of these, and nil.
 *
 * @param fields what the map holds, in order, without the colons of its keys
 */
record EdnOp(Map<String, @Nullable Object> fields) {

	private static final Pattern TOKEN = Pattern.compile("[{}\\[\\]]|\"[^\"\\\\]*\"|[^\\s,{}\\[\\]\"]+");

	/**
	 * Creates an operation with the five fields that each has.
	 */
	static EdnOp of(Object process, String type, String f, @Nullable Object value, long time) {
		EdnOp op = new EdnOp(new LinkedHashMap<>());
		return op.with("process", process)
			.with("type", new Keyword(type))
			.with("f", new Keyword(f))
			.with("value", value)
			.with("time", time);
	}

	static EdnOp parse(String line) {
		Iterator<String> tokens = TOKEN.matcher(line).results().map(MatchResult::group).iterator();
		try {
			if (!"{".equals(tokens.next())) {
				throw new IllegalArgumentException("Not a map on one line: '" + line + "'");
			}
			EdnOp op = new EdnOp(new LinkedHashMap<>());
			for (String key = tokens.next(); !"}".equals(key); key = tokens.next()) {
				op = op.with(keyword(key).name(), value(tokens.next(), tokens));
			}
			return op;
		}
		catch (NoSuchElementException | NumberFormatException ex) {
			throw new IllegalArgumentException("Not an operation: '" + line + "'", ex);
		}
	}

	/**
	 * Adds a field to this operation.
	 */
	EdnOp with(String key, @Nullable Object value) {
		this.fields.put(key, value);
		return this;
	}

	long number(String key) {
		return (this.fields.get(key) instanceof Long number) ? number : 0;
	}

	String type() {
		return String.valueOf(this.fields.get("type"));
	}

	String f() {
		return String.valueOf(this.fields.get("f"));
	}

	@Nullable Object value() {
		return this.fields.get("value");
	}

	long time() {
		return number("time");
	}

	String process() {
		return String.valueOf(this.fields.get("process"));
	}

	boolean is(String type, String f) {
		return type().equals(":" + type) && f().equals(":" + f);
	}

	boolean has(String key) {
		return this.fields.containsKey(key);
	}

	String line() {
		return this.fields.entrySet()
			.stream()
			.map((field) -> ":" + field.getKey() + " " + text(field.getValue()))
			.collect(Collectors.joining(", ", "{", "}"));
	}

	private static String text(@Nullable Object value) {
		if (value instanceof List<?> vector) {
			return vector.stream().map(EdnOp::text).collect(Collectors.joining(" ", "[", "]"));
		}
		return (value == null) ? "nil" : (value instanceof String) ? "\"" + value + "\"" : value.toString();
	}

	private static @Nullable Object value(String token, Iterator<String> tokens) {
		if ("[".equals(token)) {
			List<@Nullable Object> vector = new ArrayList<>();
			for (String next = tokens.next(); !"]".equals(next); next = tokens.next()) {
				vector.add(value(next, tokens));
			}
			return vector;
		}
		if (token.startsWith("\"")) {
			return token.substring(1, token.length() - 1);
		}
		return "nil".equals(token) ? null : token.startsWith(":") ? keyword(token) : (Object) Long.valueOf(token);
	}

	private static Keyword keyword(String token) {
		if (!token.startsWith(":")) {
			throw new IllegalArgumentException("Not a keyword: " + token);
		}
		return new Keyword(token.substring(1));
	}

	/**
	 * A name with a colon in front.
	 *
	 * @param name without the colon
	 */
	record Keyword(String name) {

		@Override
		public String toString() {
			return ":" + this.name;
		}

	}

}
