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
 * The actuator endpoint {@code redlockleader}. The endpoint shows which process leads
 * each role of this process. With unrestricted access, a POST makes this process leave a
 * role.
 */
@Endpoint(id = "redlockleader", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ RedlockLeaderEndpoint.Roles.class, RedlockLeaderEndpoint.Yield.class })
final class RedlockLeaderEndpoint {

	private final LeaderTemplate leaders;

	RedlockLeaderEndpoint(LeaderTemplate leaders) {
		this.leaders = leaders;
	}

	/**
	 * Asks the nodes which process leads each role.
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
	 * Leaves a role to another process.
	 * @param name the exact name of the role, needed if another role differs only in
	 * slashes, because a path loses slashes at its ends and one of two slashes in a row
	 * @param role the name of the role, in one or more parts of the path
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
	 * Returns the parts of a name that remain in a path.
	 */
	private static List<String> parts(String name) {
		return Stream.of(name.split("/")).filter((part) -> !part.isEmpty()).toList();
	}

	/**
	 * The roles of this process.
	 *
	 * @param roles the roles, by name
	 */
	record Roles(List<Role> roles) implements OperationResponseBody {

	}

	/**
	 * The state of a role.
	 *
	 * @param role the name of the role
	 * @param leader whether this process leads
	 * @param term the number of the term of this process, null if the process does not
	 * lead
	 * @param owner the label of the leader, null if unknown
	 */
	record Role(String role, boolean leader, @Nullable Long term, @Nullable String owner) {

		static Role of(LeaderRole role, Inspection answer, String self) {
			Long term = role.term().stream().boxed().findFirst().orElse(null);
			return new Role(role.name(), term != null, term, (term != null) ? self : answer.holder().orElse(null));
		}

	}

	/**
	 * The result of a request to leave a role.
	 *
	 * @param role the name of the role
	 * @param yielded whether this process has led it
	 * @param message an explanation for people
	 */
	record Yield(String role, boolean yielded, String message) implements OperationResponseBody {

	}

}
