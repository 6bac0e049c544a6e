package dev.redlock.sim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import dev.redlock.Tick;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.sim.Plan.Weakness;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;

import static dev.redlock.Completed.completed;

/**
 * What nodes would do if the lock were weaker: the negative controls.
 */
final class Weakened {

	private Weakened() {
	}

	static Vote acquire(Weakness weakness, InMemoryNode data, Claim claim, long fence) {
		Claim.Predecessor former = claim.succeeds();
		if (former != null) {
			return succeed(weakness, data, claim, former, fence);
		}
		Vote vote = now(data.acquire(claim, fence));
		boolean forgets = weakness == Weakness.SHORT_RETENTION || weakness == Weakness.LEAD_NOT_KEPT;
		// A node without a counter grants the proposed fence, if it is close to its time.
		return (forgets && vote instanceof Granted granted)
				? new Granted(Math.max(fence, granted.nodeMicros() - 250_000), granted.nodeMicros()) : vote;
	}

	private static Vote succeed(Weakness weakness, InMemoryNode data, Claim claim, Claim.Predecessor former,
			long fence) {
		Claim held = new Claim(claim.keys(), former.token(), claim.ttl());
		if (weakness == Weakness.KEY_NOT_COMPARED) {
			data.tokens()
				.forEach((key, token) -> data.release(new Claim(List.of(key), token, claim.ttl()), Duration.ZERO));
			data.restore(held, former.fence());
		}
		boolean lax = !former.strict() || weakness == Weakness.FREE_KEY_TAKEN || weakness == Weakness.KEY_NOT_COMPARED;
		boolean uncompared = weakness == Weakness.COUNTER_NOT_COMPARED;
		Claim asked = claim
			.succeeding(new Claim.Predecessor(former.token(), uncompared ? Long.MAX_VALUE : former.fence(), !lax));
		List<String> own = data.tokens()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(former.token()))
			.map(Map.Entry::getKey)
			.toList();
		Vote vote = now((weakness == Weakness.TOKEN_KEPT) ? data.extend(held, fence) : data.acquire(asked, fence));
		if (weakness == Weakness.REFUSED_HAND_OVER_KEPT && vote instanceof Refused && !own.isEmpty()) {
			data.restore(new Claim(own, former.token(), claim.ttl()), Claim.UNFENCED);
		}
		return (weakness == Weakness.FENCE_KEPT && vote instanceof Granted granted)
				? new Granted(former.fence(), granted.nodeMicros()) : vote;
	}

	/**
	 * The claim on one of as many places as a node has on its own for a name: the one
	 * that the owner has there, or a free one.
	 */
	static Claim counted(InMemoryNode data, Claim claim, int places) {
		Map<String, String> tokens = data.tokens();
		List<String> keys = IntStream.rangeClosed(1, places).mapToObj((i) -> claim.keys().get(0) + "#" + i).toList();
		String place = keys.stream()
			.filter((key) -> claim.token().equals(tokens.get(key)))
			.findFirst()
			.or(() -> keys.stream().filter((key) -> !tokens.containsKey(key)).findFirst())
			.orElse(keys.get(0));
		return new Claim(List.of(place), claim.token(), claim.ttl());
	}

	/**
	 * Takes the claim in the way for one that lasts for an hour.
	 */
	static Vote endless(Vote vote) {
		return (vote instanceof Refused refused) ? new Refused(refused.why(), refused.holder(), Duration.ofHours(1),
				refused.lastTick(), refused.ownerHash(), refused.announces()) : vote;
	}

	/**
	 * Whether an extension settles a fence, rather than prolongs a lease.
	 */
	static boolean settles(Claim claim) {
		return claim.ttl().equals(Duration.ofMillis(1));
	}

	static Vote tick(Weakness weakness, InMemoryNode data, Claim claim, Tick tick, boolean mark) {
		if (weakness == Weakness.PLAIN_LOCK) {
			return new Granted(Claim.UNFENCED, 0);
		}
		Vote vote = now(data.tick(claim, tick, mark));
		boolean taken = vote instanceof Refused refused && refused.why() == Refusal.TAKEN;
		return (weakness == Weakness.UNCHECKED_TICK && mark && taken) ? new Granted(Claim.UNFENCED, 0) : vote;
	}

	static Vote extend(Weakness weakness, InMemoryNode data, Claim claim, long fence) {
		if (weakness == Weakness.NO_RAISE && settles(claim)) {
			return new Granted(fence, 0);
		}
		Vote vote = now(data.extend(claim, fence));
		if (weakness == Weakness.UNOWNED_RAISE && settles(claim) && vote instanceof Refused) {
			return new Granted(fence, 0);
		}
		if (weakness == Weakness.RESTORED_LATE && vote instanceof Refused refused && refused.why() == Refusal.MISSING) {
			return now(data.restore(claim, fence));
		}
		return vote;
	}

	private static Vote now(CompletionStage<Vote> stage) {
		return completed(stage);
	}

}
