package dev.redlock;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * The data that another process needs to continue a lease. A ticket contains the token,
 * so it is a secret.
 *
 * @param resources the locked resources
 * @param nodes the names of the nodes that vote on the lease
 * @param token the current token, which the take-up replaces
 * @param fence the fence, which stays the same
 */
record Ticket(List<String> resources, List<String> nodes, String token, long fence) {

	private static final String VERSION = "redlock1";

	private static final String FIELD = ".";

	private static final String ELEMENT = ",";

	private static final int FIELDS = 5;

	static Ticket of(LockPlan plan, String token, long fence) {
		return new Ticket(List.copyOf(plan.resources()), plan.nodes().stream().map(LockNode::name).toList(), token,
				fence);
	}

	String encode() {
		return String.join(FIELD, VERSION, encode(this.resources), encode(this.nodes), encode(List.of(this.token)),
				Long.toString(this.fence));
	}

	static Ticket decode(String text) {
		String[] fields = text.split("\\" + FIELD, -1);
		if (fields.length != FIELDS || !fields[0].equals(VERSION)) {
			throw notATicket(null);
		}
		try {
			return new Ticket(decodeAll(fields[1]), decodeAll(fields[2]), decodeAll(fields[3]).get(0),
					Long.parseLong(fields[4]));
		}
		catch (IllegalArgumentException ex) {
			throw notATicket(ex);
		}
	}

	private static String encode(List<String> texts) {
		Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
		return texts.stream()
			.map((text) -> encoder.encodeToString(text.getBytes(StandardCharsets.UTF_8)))
			.collect(Collectors.joining(ELEMENT));
	}

	private static List<String> decodeAll(String field) {
		return Arrays.stream(field.split(ELEMENT))
			.map((text) -> new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8))
			.toList();
	}

	/** Leaves out the text, because it may be a secret even if it is no ticket. */
	private static IllegalArgumentException notATicket(@Nullable Throwable cause) {
		return new IllegalArgumentException(
				"This is not a lease ticket. Pass on the result of Lease.handOver() unchanged.", cause);
	}

	/**
	 * Shows the resources, never the token.
	 */
	@Override
	public String toString() {
		return "Ticket" + this.resources;
	}

}
