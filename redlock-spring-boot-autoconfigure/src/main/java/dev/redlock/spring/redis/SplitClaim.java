package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spring.redis.ServerConnections.KeyGroup;

/**
 * A claim on keys in several slots of a cluster, which no single script may touch. Each
 * group is asked by itself, all of them at once and in the order of the keys, so that a
 * release called behind an acquire still follows it everywhere. What was not granted as a
 * whole is released again.
 */
final class SplitClaim {

	private static final List<Refusal> WORST_FIRST = List.of(Refusal.LOST, Refusal.TOO_LOW, Refusal.HELD,
			Refusal.MISSING);

	private final List<KeyGroup> groups;

	private final String token;

	private final long millis;

	SplitClaim(List<KeyGroup> groups, String token, long millis) {
		this.groups = groups;
		this.token = token;
		this.millis = millis;
	}

	CompletionStage<Vote> run(LockScript script, long fence) {
		return ask(script, fence).thenCompose((votes) -> switch (script) {
			case ACQUIRE -> allOrNothing(votes).thenCompose((vote) -> level(vote, votes));
			case PLANT -> allOrNothing(votes);
			case RELEASE -> CompletableFuture.completedFuture(releaseVerdict(votes));
			default -> CompletableFuture.completedFuture(verdict(votes));
		});
	}

	private CompletableFuture<List<Vote>> ask(LockScript script, long fence) {
		List<CompletableFuture<Vote>> asked = new ArrayList<>(this.groups.size());
		for (KeyGroup group : this.groups) {
			asked.add(group.server().run(script, group.keys(), this.token, this.millis, fence));
		}
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((ignored) -> asked.stream().map(CompletableFuture::join).toList());
	}

	private CompletableFuture<Vote> allOrNothing(List<Vote> votes) {
		Vote verdict = verdict(votes);
		if (verdict instanceof Granted) {
			return CompletableFuture.completedFuture(verdict);
		}
		List<CompletableFuture<Vote>> undone = new ArrayList<>(this.groups.size());
		for (KeyGroup group : this.groups) {
			undone.add(group.server().run(LockScript.RELEASE, group.keys(), this.token, 0, 0));
		}
		return CompletableFuture.allOf(undone.toArray(CompletableFuture[]::new)).thenApply((ignored) -> verdict);
	}

	/**
	 * A grant names one fence, and every counter of the claim must have exactly that one.
	 */
	private CompletionStage<Vote> level(Vote verdict, List<Vote> votes) {
		if (!(verdict instanceof Granted granted)
				|| votes.stream().allMatch((vote) -> ((Granted) vote).fence() == granted.fence())) {
			return CompletableFuture.completedFuture(verdict);
		}
		return ask(LockScript.RAISE, granted.fence()).thenCompose((raised) -> {
			Vote outcome = verdict(raised);
			return (outcome instanceof Granted) ? CompletableFuture.completedFuture(verdict) : allOrNothing(raised);
		});
	}

	private static Vote verdict(List<Vote> votes) {
		Vote worst = votes.get(0);
		for (Vote vote : votes) {
			if (rank(vote) < rank(worst) || (rank(vote) == rank(worst) && number(vote) > number(worst))) {
				worst = vote;
			}
		}
		boolean mayHaveRun = votes.stream().anyMatch((vote) -> vote instanceof Faulted faulted && faulted.mayHaveRun());
		return (worst instanceof Faulted faulted)
				? new Faulted(faulted.fault(), faulted.detail(), mayHaveRun, faulted.nodeMicros()) : worst;
	}

	/**
	 * One key that was the claim's is enough for a release.
	 */
	private static Vote releaseVerdict(List<Vote> votes) {
		Vote verdict = verdict(votes);
		boolean released = votes.stream().anyMatch(Granted.class::isInstance);
		return (verdict instanceof Refused && released) ? Granted.PLAIN : verdict;
	}

	private static int rank(Vote vote) {
		if (vote instanceof Faulted) {
			return -1;
		}
		return (vote instanceof Refused refused) ? WORST_FIRST.indexOf(refused.why()) : WORST_FIRST.size();
	}

	private static long number(Vote vote) {
		if (vote instanceof Granted granted) {
			return granted.fence();
		}
		return (vote instanceof Refused refused) ? refused.fence() : 0;
	}

}
