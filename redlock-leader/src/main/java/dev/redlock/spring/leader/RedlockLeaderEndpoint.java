package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.Inspection;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The actuator endpoint {@code redlockleader}. It shows who leads the roles of this
 * instance. If yielding is enabled, a POST makes this instance leave a role.
 */
@Endpoint(id = "redlockleader")
@RegisterReflectionForBinding({ RedlockLeaderEndpoint.Roles.class, RedlockLeaderEndpoint.Yield.class })
final class RedlockLeaderEndpoint {

	private static final int FORBIDDEN = 403;

	private final LeaderTemplate leaders;

	private final boolean yieldEnabled;

	RedlockLeaderEndpoint(LeaderTemplate leaders, boolean yieldEnabled) {
		this.leaders = leaders;
		this.yieldEnabled = yieldEnabled;
	}

	/**
	 * Asks the nodes who leads each role.
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
	 * Leaves a role to another instance.
	 * @param role its name, in one or more parts of the path
	 */
	@WriteOperation
	WebEndpointResponse<Yield> yieldRole(@Selector(match = Match.ALL_REMAINING) String... role) {
		String name = String.join("/", role);
		if (!this.yieldEnabled) {
			return new WebEndpointResponse<>(new Yield(name, false,
					"Yielding is turned off. Set redlock.leader.yield-enabled=true to turn it on."), FORBIDDEN);
		}
		boolean yielded = this.leaders.roles()
			.stream()
			.filter((each) -> each.name().equals(name))
			.anyMatch(LeaderRole::yield);
		return yielded
				? new WebEndpointResponse<>(new Yield(name, true,
						"This instance no longer leads. It gives its lease back when the calls that run have ended."))
				: new WebEndpointResponse<>(new Yield(name, false,
						"This instance does not lead it. A GET shows the leader. Send the POST to the endpoint of"
								+ " that instance."),
						WebEndpointResponse.STATUS_NOT_FOUND);
	}

	/**
	 * The roles of this instance.
	 *
	 * @param roles the roles, by name
	 */
	record Roles(List<Role> roles) implements OperationResponseBody {

	}

	/**
	 * A role.
	 *
	 * @param role its name
	 * @param leader whether this instance leads
	 * @param term the number of the term of this instance, null if it does not lead
	 * @param owner the label of the leader, null if it is not known
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
	 * @param yielded whether this instance has led it
	 * @param message an explanation for people
	 */
	record Yield(String role, boolean yielded, String message) implements OperationResponseBody {

	}

}
