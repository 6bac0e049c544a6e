package dev.redlock.lettuce.internal.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.lettuce.internal.check.NodeServers.KeyGroup;
import dev.redlock.lettuce.internal.script.LockScript;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.spi.Claim;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Vote.Seen;

/**
 * A script call with lock keys in several hash slots of a cluster. One script may only
 * use keys of one slot, so the script runs once for each slot. All scripts are sent at
 * once, so on each server a release that is called later also runs later. If only some
 * keys of a lock were acquired, these keys are released again.
 */
final class MultiSlotCall {

	private static final List<Refusal> WORST_FIRST = List.of(Refusal.LOST, Refusal.HELD, Refusal.MISSING);

	/**
	 * A ttl with which EXTEND raises fence counters but extends no lock key: one
	 * millisecond.
	 */
	private static final long EXTENDS_NO_KEY = 1;

	/**
	 * Sorts the grant with the highest fence before other grants, because this fence
	 * becomes the answer of the call.
	 */
	private static final Comparator<Vote> WORST_TO_BEST = Comparator.comparingInt(MultiSlotCall::rank)
		.thenComparing(MultiSlotCall::fence, Comparator.reverseOrder());

	private final List<KeyGroup> groups;

	private final ScriptCall call;

	MultiSlotCall(List<KeyGroup> groups, ScriptCall call) {
		this.groups = groups;
		this.call = call;
	}

	CompletionStage<Vote> run() {
		return ask((keys) -> this.call.withKeys(keys)).thenCompose((votes) -> switch (this.call.script()) {
			case ACQUIRE, SUCCEED -> allOrNothing(votes).thenCompose((vote) -> raiseCounters(vote, votes));
			case RESTORE -> allOrNothing(votes);
			case INSPECT -> CompletableFuture.completedFuture(seen(votes));
			case RELEASE -> CompletableFuture.completedFuture(releaseVerdict(votes));
			default -> CompletableFuture.completedFuture(verdict(votes));
		});
	}

	private CompletableFuture<List<Vote>> ask(LockScript script, long millis, long fence) {
		return ask((keys) -> new ScriptCall(script, keys, this.call.token(), millis, fence));
	}

	private CompletableFuture<List<Vote>> ask(Function<List<String>, ScriptCall> part) {
		List<CompletableFuture<Vote>> asked = new ArrayList<>(this.groups.size());
		for (KeyGroup group : this.groups) {
			asked.add(group.server().run(part.apply(group.keys())));
		}
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((ignored) -> asked.stream().map(CompletableFuture::join).toList());
	}

	/**
	 * Returns a fault if some keys were acquired and perhaps not released again, so that
	 * the caller releases them later.
	 */
	private CompletableFuture<Vote> allOrNothing(List<Vote> votes) {
		Vote verdict = verdict(votes);
		if (verdict instanceof Granted) {
			return CompletableFuture.completedFuture(verdict);
		}
		return ask(LockScript.RELEASE, 0, 0)
			.thenApply((released) -> (verdict(released) instanceof Faulted undo) ? mayHaveRun(undo) : verdict);
	}

	private static Faulted mayHaveRun(Faulted fault) {
		return new Faulted(fault.fault(), fault.detail(), true, fault.nodeMicros());
	}

	/**
	 * Raises the fence counters of all granted keys to the highest fence, if the fences
	 * of the hash slots differ.
	 */
	private CompletionStage<Vote> raiseCounters(Vote verdict, List<Vote> votes) {
		if (!(verdict instanceof Granted granted)
				|| votes.stream().allMatch((vote) -> ((Granted) vote).fence() == granted.fence())) {
			return CompletableFuture.completedFuture(verdict);
		}
		return ask(LockScript.EXTEND, EXTENDS_NO_KEY, granted.fence()).thenCompose((raised) -> {
			Vote outcome = verdict(raised);
			return (outcome instanceof Granted) ? CompletableFuture.completedFuture(verdict) : allOrNothing(raised);
		});
	}

	private Vote seen(List<Vote> votes) {
		Map<String, Vote> byKey = new HashMap<>();
		for (int i = 0; i < votes.size(); i++) {
			if (!(votes.get(i) instanceof Seen seen)) {
				return votes.get(i);
			}
			List<String> keys = this.groups.get(i).keys();
			for (int j = 0; j < keys.size(); j++) {
				byKey.put(keys.get(j), seen.keys().get(j));
			}
		}
		return new Seen(this.call.keys().stream().map(byKey::get).toList());
	}

	private static Vote verdict(List<Vote> votes) {
		Vote worst = Collections.min(votes, WORST_TO_BEST);
		if (worst instanceof Granted granted) {
			return new Granted(granted.fence(), granted.nodeMicros(), mostListeners(votes));
		}
		boolean mayHaveRun = votes.stream().anyMatch((vote) -> vote instanceof Faulted faulted && faulted.mayHaveRun());
		return (worst instanceof Faulted faulted)
				? new Faulted(faulted.fault(), faulted.detail(), mayHaveRun, faulted.nodeMicros()) : worst;
	}

	/**
	 * Returns a fault if any server could not release its keys, otherwise a grant if any
	 * server released keys.
	 */
	private static Vote releaseVerdict(List<Vote> votes) {
		Vote verdict = verdict(votes);
		if (verdict instanceof Faulted) {
			return verdict;
		}
		boolean released = votes.stream().anyMatch(Granted.class::isInstance);
		return released ? new Granted(Claim.UNFENCED, 0, mostListeners(votes)) : verdict;
	}

	private static int mostListeners(List<Vote> votes) {
		return votes.stream()
			.mapToInt((vote) -> (vote instanceof Granted granted) ? granted.listeners() : 0)
			.max()
			.orElse(0);
	}

	private static int rank(Vote vote) {
		if (vote instanceof Faulted) {
			return -1;
		}
		return (vote instanceof Refused refused) ? WORST_FIRST.indexOf(refused.why()) : WORST_FIRST.size();
	}

	private static long fence(Vote vote) {
		return (vote instanceof Granted granted) ? granted.fence() : Claim.UNFENCED;
	}

}
