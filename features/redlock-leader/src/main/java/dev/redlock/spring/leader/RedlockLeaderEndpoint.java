package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.Inspection;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code redlockleader}, which shows the current leader of each
 * role for which this process is a candidate. With unrestricted access, a POST makes this
 * process give up a role.
 */
@Endpoint(id = "redlockleader", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ RedlockLeaderEndpoint.Roles.class, RedlockLeaderEndpoint.Yield.class })
final class RedlockLeaderEndpoint {

	private final LeaderTemplate leaders;

	RedlockLeaderEndpoint(LeaderTemplate leaders) {
		this.leaders = leaders;
	}

	/**
	 * Asks the Redis servers which process leads each role.
	 */
	@ReadOperation
	Roles roles() {
		Redlock redlock = this.leaders.redlock();
		Duration longest = redlock.settings().nodeTimeoutFor(redlock.settings().maxTtl()).multipliedBy(5);
		Map<LeaderRole, CompletableFuture<Inspection>> answers = new TreeMap<>(Comparator.comparing(LeaderRole::name));
		for (LeaderRole role : this.leaders.roles()) {
			answers.put(role, redlock.inspect(role.name())
				.toCompletableFuture()
				.copy()
				.completeOnTimeout(new Inspection(role.name(), List.of()), longest.toNanos(), TimeUnit.NANOSECONDS));
		}
		return new Roles(answers.entrySet()
			.stream()
			.map((answer) -> Role.of(answer.getKey(), answer.getValue().join(), redlock.settings().owner()))
			.toList());
	}

	/**
	 * Makes this process give up a role, so that another process can lead.
	 * @param name the exact name of the role, needed only if the names of two roles
	 * differ only in slashes
	 */
	@WriteOperation
	WebEndpointResponse<Yield> yieldRole(@Nullable String name, @Selector(match = Match.ALL_REMAINING) String... role) {
		String path = String.join("/", role);
		List<LeaderRole> named = this.leaders.roles()
			.stream()
			.filter((each) -> parts(each.name()).equals(parts(path)) && (name == null || each.name().equals(name)))
			.toList();
		if (named.size() > 1) {
			throw new InvalidEndpointRequestException(
					"Add the exact name of the role to the body, as in {\"name\": \"a//b\"}. The roles are "
							+ named.stream().map(LeaderRole::name).sorted().toList(),
					"Two roles are named");
		}
		String yielding = named.isEmpty() ? path : named.get(0).name();
		boolean yielded = named.stream().anyMatch(LeaderRole::yield);
		return yielded
				? new WebEndpointResponse<>(new Yield(yielding, true,
						"This process no longer leads the role. The lease is released when the running calls have "
								+ "ended."))
				: new WebEndpointResponse<>(new Yield(yielding, false,
						"This process does not lead the role. A GET shows the process that leads. Send the POST to "
								+ "the endpoint of that process."),
						WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * Drops empty segments of a role's name, because the path of an HTTP request may lose
	 * them.
	 */
	private static List<String> parts(String name) {
		return Stream.of(name.split("/")).filter((part) -> !part.isEmpty()).toList();
	}

	record Roles(List<Role> roles) implements OperationResponseBody {

	}

	/**
	 * The leader of a role, as this process and the servers know it.
	 *
	 * @param owner the label of the process that leads the role; null if unknown
	 */
	record Role(String role, boolean leader, @Nullable Long term, @Nullable String owner) {

		static Role of(LeaderRole role, Inspection answer, String self) {
			Long term = role.term().stream().boxed().findFirst().orElse(null);
			return new Role(role.name(), term != null, term, (term != null) ? self : answer.holder().orElse(null));
		}

	}

	/**
	 * The result of a request to this process to give up a role.
	 */
	record Yield(String role, boolean yielded, String message) implements OperationResponseBody {

	}

}
