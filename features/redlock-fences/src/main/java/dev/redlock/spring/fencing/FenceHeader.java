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
 * The fences that a request carries to another service, in the header
 * {@code Redlock-Fence}. The value has the percent-encoded name of each locked resource
 * and its fence: {@code device%3A7=42, device%3A8=42}.
 * <p>
 * {@link FenceHeaderInterceptor} and {@link FenceHeaderFilter} send this header. A
 * controller takes the header as a parameter with
 * {@code @RequestHeader(FenceHeader.NAME)}, and passes the fence to the guard of its
 * data:
 *
 * <pre class="code">
 * this.guard.claim(id, fences.require("device:" + id));
 * </pre>
 *
 * The claim belongs in the transaction that writes. If the check ran before the
 * transaction, a former holder could write after a later holder.
 *
 * @param fences the fence of each resource by its name
 */
public record FenceHeader(Map<String, Long> fences) {

	/**
	 * The name of the header.
	 */
	public static final String NAME = "Redlock-Fence";

	/**
	 * Creates a header.
	 * @param fences the fence of each resource by its name
	 * @throws IllegalArgumentException if {@code fences} is empty, or a fence is not
	 * above zero
	 */
	public FenceHeader {
		fences = Map.copyOf(fences);
		if (fences.isEmpty() || fences.values().stream().anyMatch((fence) -> fence <= 0)) {
			throw new IllegalArgumentException("The header " + NAME
					+ " needs at least one fence, and each must be above zero, not " + fences + ".");
		}
	}

	/**
	 * Reads the value of a header. Spring calls this method for a controller's parameter.
	 * @param value the value
	 * @return the fences
	 * @throws IllegalArgumentException if the value has another form
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
	 * Returns the fence of a resource that the request must hold.
	 * @param resource the name of the locked resource
	 * @return the fence
	 * @throws ResponseStatusException with the status 400 if the request has no fence for
	 * the resource
	 */
	public long require(String resource) {
		// A lease contains the shortened form of a long name.
		String name = LockRequest.of(resource).resources().get(0);
		Long fence = this.fences.get(name);
		if (fence == null) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "The header " + NAME + " has no fence for '"
					+ name + "'. Send the request under the lock on this name.");
		}
		return fence;
	}

	/**
	 * Returns the value of the header.
	 */
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
	 * Returns the header for the leases of the caller, the innermost first. The result is
	 * empty without a lock. Permits have no fence and are left out.
	 */
	static Optional<FenceHeader> of(List<Lease> leases) {
		Map<String, Long> fences = new LinkedHashMap<>();
		leases.forEach((lease) -> lease.resources().forEach((resource) -> {
			Lease part = lease.forResource(resource);
			if (!part.isPermit()) {
				fences.putIfAbsent(resource, part.fence());
			}
		}));
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
