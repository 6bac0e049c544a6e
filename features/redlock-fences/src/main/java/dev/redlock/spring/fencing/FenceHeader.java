package dev.redlock.spring.fencing;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.redlock.Lease;
import dev.redlock.LockRequest;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The header {@code Redlock-Fence}, by which an HTTP request carries the fences of its
 * sender's locks to another service. The value of the header lists the percent-encoded
 * name of each locked resource with its fence: {@code device%3A7=42, device%3A8=42}.
 * <p>
 * {@link FenceHeaderInterceptor} and {@link FenceHeaderFilter} send this header. A
 * controller receives the header in a parameter with
 * {@code @RequestHeader(FenceHeader.NAME)}, and passes the fence to a
 * {@link JdbcFenceGuard}:
 *
 * <pre class="code">
 * this.guard.claim(id, fences.require("device:" + id));
 * </pre>
 *
 * Call {@code JdbcFenceGuard.claim} in the transaction that writes the data. If
 * {@code claim} ran before the transaction, a former holder of the lock could write after
 * a later holder.
 * <p>
 * Spring Boot reads a header of several lines as one list, and refuses a request whose
 * header names a resource twice. Without Spring Boot, only the first line is read.
 *
 * @param fences maps the name of each locked resource to its fence
 */
public record FenceHeader(Map<String, Long> fences) {

	public static final String NAME = "Redlock-Fence";

	/**
	 * @throws IllegalArgumentException if {@code fences} is empty, or a fence is zero or
	 * negative
	 */
	public FenceHeader {
		fences = Map.copyOf(fences);
		if (fences.isEmpty() || fences.values().stream().anyMatch((fence) -> fence <= 0)) {
			throw new IllegalArgumentException("The header " + NAME
					+ " needs at least one fence, and each must be above zero, not " + fences + ".");
		}
	}

	/**
	 * Parses the value of the header.
	 * @throws IllegalArgumentException if the value of the header is malformed
	 */
	public static FenceHeader valueOf(String value) {
		Map<String, Long> fences = new LinkedHashMap<>();
		for (String entry : value.split(",", -1)) {
			int equals = entry.indexOf('=');
			if (entry.substring(0, Math.max(0, equals)).isBlank()
					|| fences.put(decode(entry.substring(0, equals)), number(entry, equals)) != null) {
				throw malformed(entry);
			}
		}
		return new FenceHeader(fences);
	}

	/**
	 * Returns the fence of a resource.
	 * @throws ResponseStatusException with the status 400 if the request has no fence for
	 * the resource
	 */
	public long require(String resource) {
		// A lease has the names as LockRequest shortened them.
		String name = LockRequest.of(resource).resources().get(0);
		Long fence = this.fences.get(name);
		if (fence == null) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The header " + NAME + " has no fence for '"
					+ name + "'. Send the request under the lock on this name.");
		}
		return fence;
	}

	@Override
	public String toString() {
		return this.fences.entrySet()
			.stream()
			.map((entry) -> URLEncoder.encode(entry.getKey(), StandardCharsets.UTF_8).replace("+", "%20") + "="
					+ entry.getValue())
			.sorted()
			.collect(Collectors.joining(", "));
	}

	/**
	 * Returns the header with the fences of the leases; empty if all leases are permits
	 * of semaphores, which have no fence.
	 */
	static Optional<FenceHeader> of(List<Lease> leases) {
		Map<String, Long> fences = new LinkedHashMap<>();
		leases.forEach((lease) -> lease.resources()
			.stream()
			.filter((resource) -> !lease.forResource(resource).isPermit())
			.forEach((resource) -> fences.putIfAbsent(resource, lease.fence(resource))));
		return fences.isEmpty() ? Optional.empty() : Optional.of(new FenceHeader(fences));
	}

	private static String decode(String name) {
		return URLDecoder.decode(name.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
	}

	private static long number(String entry, int equals) {
		try {
			return Long.parseLong(entry.substring(equals + 1).strip());
		}
		catch (NumberFormatException ex) {
			throw malformed(entry);
		}
	}

	private static IllegalArgumentException malformed(String entry) {
		return new IllegalArgumentException("'" + entry.strip() + "' in the header " + NAME
				+ " does not look like 'device%3A7=42', or has a name that appears twice.");
	}

}
