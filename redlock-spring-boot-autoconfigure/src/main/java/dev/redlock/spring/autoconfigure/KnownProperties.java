package dev.redlock.spring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/**
 * The names of known properties as a tree, with one level for each part between dots.
 * Suggests the name that a misspelled one may stand for.
 */
final class KnownProperties {

	private static final String ANY = "*";

	/**
	 * Shorter names may differ by one letter only, because two would make another word.
	 */
	private static final int LONG_NAME = 8;

	private final Map<String, KnownProperties> parts = new LinkedHashMap<>();

	/**
	 * Adds a property and the properties of its type.
	 * @param name the name, in lower case and with dashes
	 * @param type the type of its value
	 */
	void add(String name, ResolvableType type) {
		KnownProperties part = this;
		for (String element : name.split("\\.")) {
			part = part.part(element);
		}
		part.addPartsOf(type);
	}

	/**
	 * Finds the first unknown part of a name, and replaces it by a similar known one.
	 * @return the name that may be meant
	 */
	Optional<String> correct(ConfigurationPropertyName name) {
		KnownProperties known = this;
		for (int i = 0; i < name.getNumberOfElements() && !known.parts.isEmpty(); i++) {
			String element = name.getElement(i, Form.UNIFORM);
			KnownProperties next = known.find(element);
			if (next == null) {
				int position = i;
				long words = words(name.getElement(i, Form.DASHED));
				return known.nearest(element)
					.filter((nearest) -> words(nearest) >= words)
					.map((nearest) -> replace(name, position, nearest));
			}
			known = next;
		}
		return Optional.empty();
	}

	private void addPartsOf(ResolvableType type) {
		Class<?> resolved = type.resolve(Object.class);
		if (Map.class.isAssignableFrom(resolved)) {
			part(ANY).addPartsOf(type.asMap().getGeneric(1));
		}
		else if (resolved.isRecord()) {
			for (RecordComponent component : resolved.getRecordComponents()) {
				part(DataObjectPropertyName.toDashedForm(component.getName()))
					.addPartsOf(ResolvableType.forMethodReturnType(component.getAccessor()));
			}
		}
	}

	private KnownProperties part(String name) {
		return this.parts.computeIfAbsent(name, (key) -> new KnownProperties());
	}

	private @Nullable KnownProperties find(String element) {
		return this.parts.entrySet()
			.stream()
			.filter((part) -> uniform(part.getKey()).equals(element))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(this.parts.get(ANY));
	}

	private Optional<String> nearest(String element) {
		Map<Integer, String> byDistance = new TreeMap<>();
		this.parts.keySet().forEach((part) -> byDistance.putIfAbsent(distance(element, uniform(part)), part));
		int most = (element.length() < LONG_NAME) ? 1 : 2;
		return byDistance.entrySet()
			.stream()
			.findFirst()
			.filter((nearest) -> nearest.getKey() <= most)
			.map(Map.Entry::getValue);
	}

	/**
	 * Counts words. A name with more words than a known one is not a misspelling of it.
	 */
	private static long words(String dashed) {
		return 1 + dashed.chars().filter((character) -> character == '-').count();
	}

	private static String uniform(String name) {
		return name.replace("-", "");
	}

	private static String replace(ConfigurationPropertyName name, int position, String part) {
		ConfigurationPropertyName corrected = name.chop(position).append(part);
		for (int i = position + 1; i < name.getNumberOfElements(); i++) {
			corrected = corrected.append(name.subName(i).chop(1));
		}
		return corrected.toString();
	}

	/**
	 * Counts letters that are added, missing, different, or swapped with their neighbour.
	 */
	private static int distance(String one, String other) {
		int[][] distances = new int[one.length() + 1][other.length() + 1];
		for (int i = 0; i <= one.length(); i++) {
			for (int j = 0; j <= other.length(); j++) {
				distances[i][j] = (i == 0 || j == 0) ? i + j : distance(one, other, i, j, distances);
			}
		}
		return distances[one.length()][other.length()];
	}

	private static int distance(String one, String other, int i, int j, int[][] known) {
		int different = (one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1;
		int best = Math.min(known[i - 1][j - 1] + different, Math.min(known[i - 1][j], known[i][j - 1]) + 1);
		boolean exchanged = i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
				&& one.charAt(i - 2) == other.charAt(j - 1);
		return exchanged ? Math.min(best, known[i - 2][j - 2] + 1) : best;
	}

}
