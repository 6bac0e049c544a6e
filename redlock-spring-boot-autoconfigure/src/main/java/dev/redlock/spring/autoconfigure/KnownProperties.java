package dev.redlock.spring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

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
	 * Finds the first unknown part of a name, and a similar known one to replace it.
	 */
	Optional<UnknownPart> unknownPart(ConfigurationPropertyName name) {
		KnownProperties known = this;
		for (int i = 0; i < name.getNumberOfElements() && !known.parts.isEmpty(); i++) {
			String element = name.getElement(i, Form.UNIFORM);
			KnownProperties next = known.find(element);
			if (next == null) {
				int position = i;
				long words = words(name.getElement(i, Form.DASHED));
				Optional<String> meant = known.nearest(element)
					.filter((nearest) -> words(nearest) >= words)
					.map((nearest) -> replace(name, position, nearest));
				return Optional.of(new UnknownPart(name.getElement(i, Form.ORIGINAL), meant.orElse(null)));
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
		int most = (element.length() < LONG_NAME) ? 1 : 2;
		return IntStream.rangeClosed(1, most)
			.boxed()
			.flatMap((typos) -> this.parts.keySet().stream().filter((part) -> isNear(element, uniform(part), typos)))
			.findFirst();
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
		return name.chop(position).append(part).append(name.subName(position + 1)).toString();
	}

	/**
	 * Returns whether one word becomes the other by at most so many typos. A typo adds,
	 * drops or changes a letter, or swaps two neighbours.
	 */
	private static boolean isNear(String one, String other, int typos) {
		if (one.equals(other)) {
			return true;
		}
		if (typos == 0 || one.isEmpty() || other.isEmpty()) {
			return typos >= one.length() + other.length();
		}
		String oneRest = one.substring(1);
		String otherRest = other.substring(1);
		if (one.charAt(0) == other.charAt(0)) {
			return isNear(oneRest, otherRest, typos);
		}
		boolean swapped = one.length() > 1 && other.length() > 1 && one.charAt(0) == other.charAt(1)
				&& one.charAt(1) == other.charAt(0);
		return isNear(oneRest, otherRest, typos - 1) || isNear(oneRest, other, typos - 1)
				|| isNear(one, otherRest, typos - 1)
				|| (swapped && isNear(one.substring(2), other.substring(2), typos - 1));
	}

	/**
	 * A part of a name that no known property has.
	 *
	 * @param part the part as it is written
	 * @param meant the whole name that may be meant, if there is one
	 */
	record UnknownPart(String part, @Nullable String meant) {

	}

}
