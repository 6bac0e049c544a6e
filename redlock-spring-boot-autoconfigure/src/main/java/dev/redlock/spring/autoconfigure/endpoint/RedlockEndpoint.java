package dev.redlock.spring.autoconfigure.endpoint;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.redlock.Inspection;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code redlock}, which shows nodes, leases and waiting requests
 * of this application process. For a single resource, the endpoint shows the answer of
 * each node. The endpoint never shows the tokens of leases.
 * <p>
 * With {@code management.endpoint.redlock.access=unrestricted}, an HTTP DELETE ends a
 * lease of this application process.
 */
@Endpoint(id = "redlock", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding(ResourceDescription.class)
final class RedlockEndpoint {

	private final Redlock redlock;

	private final Clock clock;

	RedlockEndpoint(Redlock redlock, Clock clock) {
		this.redlock = redlock;
		this.clock = clock;
	}

	/**
	 * Describes nodes, leases and waiting requests without a command to the Redis nodes.
	 */
	@ReadOperation
	LockDescription lock() {
		return LockDescription.of(this.redlock, this.clock.instant());
	}

	/**
	 * Asks nodes about one resource.
	 * @param instances the nodes to ask; null for the nodes of this process's lease, or
	 * for all nodes if this process has no lease
	 * @param name the exact name of the resource, needed if the name has slashes, which
	 * an HTTP path may lose
	 */
	@ReadOperation
	ResourceDescription resource(@Nullable List<String> instances, @Nullable String name,
			@Selector(match = Match.ALL_REMAINING) String... resource) {
		LockRequest request = request(name(name, resource), instances);
		CompletionStage<List<Inspection>> permits = this.redlock.inspectPermits(request);
		Inspection inspection = inTime(this.redlock.inspect(request));
		return ResourceDescription.of(inspection, this.redlock.waiters().getOrDefault(inspection.resource(), 0),
				inTime(permits));
	}

	/**
	 * Ends a lease of this application process, and notifies the holder that the lease is
	 * lost.
	 * @param name the exact name of the resource, needed if the name has slashes, because
	 * an HTTP path may lose a slash
	 */
	@DeleteOperation
	WebEndpointResponse<Release> release(@Nullable String name,
			@Selector(match = Match.ALL_REMAINING) String... resource) {
		String released = name(name, resource);
		if (name == null && resource.length > 1) {
			throw new InvalidEndpointRequestException(
					"Repeat the exact name of the resource, as in ?name=a/b: the path may have lost a slash",
					"The name of the resource has slashes, and the path of a URL can lose one of them");
		}
		Optional<CompletionStage<ReleaseResult>> release = this.redlock.revoke(released);
		return release.map((result) -> new WebEndpointResponse<>(Release.of(released, inTime(result))))
			.orElseGet(() -> new WebEndpointResponse<>(new Release(released, false,
					"This process holds no lease on this resource. A GET of the same path shows the process that "
							+ "holds the lock. Send the DELETE to the endpoint of that process."),
					WebEndpointResponse.STATUS_NOT_FOUND));
	}

	private LockRequest request(String name, @Nullable List<String> instances) {
		try {
			LockRequest request = LockRequest.of(name);
			if (instances != null) {
				request = request.withInstances(instances.toArray(String[]::new));
			}
			this.redlock.check(request);
			return request;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidEndpointRequestException(String.valueOf(ex.getMessage()),
					"The request names unknown instances, or names no lock", ex);
		}
	}

	private static String name(@Nullable String exact, String[] path) {
		String name = String.join("/", path);
		if (name.isBlank()) {
			throw new InvalidEndpointRequestException("Name the resource in the path of the request",
					"The resource is blank");
		}
		if (exact != null && !parts(exact).equals(parts(name))) {
			throw new InvalidEndpointRequestException(
					"The path names '" + name + "', and the parameter says '" + exact + "'. Name only one resource",
					"Two resources are named");
		}
		return (exact != null) ? exact : name;
	}

	/**
	 * Removes slashes and commas before a comparison, because HTTP paths may lose
	 * slashes, and JMX splits names at commas.
	 */
	private static List<String> parts(String name) {
		return Stream.of(name.split("[/,]")).filter((part) -> !part.isEmpty()).toList();
	}

	/**
	 * Waits for the nodes' answers, longer than any node may take.
	 */
	private <T> T inTime(CompletionStage<T> stage) {
		long bound = this.redlock.settings().nodeTimeoutFor(this.redlock.settings().maxTtl()).multipliedBy(5).toNanos();
		try {
			return stage.toCompletableFuture().get(bound, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The thread was interrupted while it asked the nodes about the lock", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The nodes did not say in time who holds the lock", ex);
		}
	}

	/**
	 * The result of a request to end a lease.
	 */
	record Release(String resource, boolean released, String message) implements OperationResponseBody {

		static Release of(String resource, ReleaseResult result) {
			return new Release(resource, true,
					"The lock was released on " + result.released() + " of " + result.nodes()
							+ " nodes. The holder was told that the lock is lost" + (result.confirmed() ? "."
									: "; nodes that could not be reached keep the lock until its ttl is over."));
		}

	}

}
