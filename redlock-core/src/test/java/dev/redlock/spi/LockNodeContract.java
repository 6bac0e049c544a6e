package dev.redlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.redlock.Tick;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Vote.Seen;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every kind of node must do. Sub-classes supply a node that is ready to vote.
 */
public abstract class LockNodeContract extends AnnouncementContract {

	private long soonMicros;

	@Test
	void aFreeKeyIsGrantedWithTheProposedFence() {
		long fence = nowMicros();
		Granted granted = granted(node().acquire(claim("t1"), fence));
		assertThat(granted.fence()).isEqualTo(fence);
		assertThat(granted.nodeMicros()).isCloseTo(fence, org.assertj.core.data.Offset.offset(5_000_000L));
	}

	@Test
	void aHeldKeyIsRefusedWithLabelAndRemainingTime() {
		granted(node().acquire(claim("t1|billing@host"), nowMicros()));
		Refused refused = refused(node().acquire(claim("t2|other"), nowMicros()));
		assertThat(refused.why()).isEqualTo(Refusal.HELD);
		assertThat(refused.holder()).isEqualTo("billing@host");
		assertThat(refused.remaining()).isBetween(Duration.ofSeconds(5), TTL);
	}

	@Test
	void theFenceIsAlwaysAboveTheFormerOne() {
		long high = nowMicros() + 1_000_000;
		assertThat(granted(node().acquire(claim("t1"), high)).fence()).isEqualTo(high);
		granted(node().release(claim("t1"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t2"), high - 5)).fence()).isEqualTo(high + 1);
	}

	@Test
	void theFirstFenceIsNotBelowTheTimeOfTheNode() {
		long before = nowMicros();
		Granted granted = granted(node().acquire(claim("t1"), before - 2_000_000));
		assertThat(granted.fence()).isGreaterThan(before - 1_500_000);
	}

	@Test
	void aClaimWithoutFenceIsGrantedWithoutOne() {
		assertThat(granted(node().acquire(claim("t1"), Claim.UNFENCED)).fence()).isEqualTo(Claim.UNFENCED);
		granted(node().extend(claim("t1"), Claim.UNFENCED));
		granted(node().release(claim("t1"), Duration.ZERO));
	}

	@Test
	void severalKeysAreGrantedAllOrNone() {
		granted(node().acquire(claim("t1", key() + ":b"), nowMicros()));
		Claim both = claim("t2", key() + ":a", key() + ":b", key() + ":c");
		assertThat(refused(node().acquire(both, nowMicros())).why()).isEqualTo(Refusal.HELD);
		granted(node().inspect(key() + ":a"));
		granted(node().inspect(key() + ":c"));
		granted(node().release(claim("t1", key() + ":b"), Duration.ZERO));
		granted(node().acquire(both, nowMicros()));
		assertThat(refused(node().inspect(key() + ":c")).why()).isEqualTo(Refusal.HELD);
		granted(node().release(both, Duration.ZERO));
		granted(node().inspect(key() + ":a"));
	}

	@Test
	void severalKeysShareTheHighestFence() {
		long high = nowMicros() + 1_000_000;
		granted(node().acquire(claim("t1", key() + ":b"), high));
		granted(node().release(claim("t1", key() + ":b"), Duration.ZERO));
		Granted both = granted(node().acquire(claim("t2", key() + ":a", key() + ":b"), high - 10));
		assertThat(both.fence()).isEqualTo(high + 1);
		granted(node().release(claim("t2", key() + ":a", key() + ":b"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t3", key() + ":a"), high - 10)).fence()).isEqualTo(high + 2);
	}

	@Test
	void aLookShowsEachKeyInItsOrder() {
		granted(node().acquire(claim("t1|one\nof ours", key() + ":b"), Claim.UNFENCED));
		granted(node().acquire(claim("t2", key() + ":d"), Claim.UNFENCED));
		Seen seen = get(node().inspectAll(List.of(key() + ":a", key() + ":b", key() + ":c", key() + ":d")), Seen.class);
		assertThat(seen.keys()).hasSize(4);
		assertThat(seen.keys().get(0)).isInstanceOf(Granted.class);
		assertThat(seen.keys().get(1)).isInstanceOfSatisfying(Refused.class, (held) -> {
			assertThat(held.holder()).startsWith("one").endsWith("of ours");
			assertThat(held.remaining()).isBetween(Duration.ofSeconds(5), TTL);
		});
		assertThat(seen.keys().get(2)).isInstanceOf(Granted.class);
		assertThat(seen.keys().get(3)).isInstanceOf(Refused.class);
	}

	@Test
	void extendProlongsAnOwnedKey() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().extend(claim("t1").withTtl(TTL.multipliedBy(3)), fence));
		assertThat(refused(node().inspect(key())).remaining()).isGreaterThan(TTL.multipliedBy(2));
	}

	@Test
	void extendNeverShortens() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().extend(claim("t1").withTtl(Duration.ofMillis(5)), fence));
		assertThat(refused(node().inspect(key())).remaining()).isGreaterThan(TTL.dividedBy(2));
	}

	@Test
	void extendOfAMissingKeyIsRefusedAndRestoresNothing() {
		assertThat(refused(node().extend(claim("t1"), nowMicros())).why()).isEqualTo(Refusal.MISSING);
		granted(node().inspect(key()));
	}

	@Test
	void extendOfAForeignKeyIsRefused() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		assertThat(refused(node().extend(claim("t2"), fence)).why()).isEqualTo(Refusal.LOST);
	}

	@Test
	void extendProlongsAKeyThatWasGrantedAboveTheFenceAndLeavesTheCounter() {
		long granted = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().extend(claim("t1").withTtl(TTL.multipliedBy(3)), granted - 1));
		assertThat(refused(node().inspect(key())).remaining()).isGreaterThan(TTL.multipliedBy(2));
		granted(node().release(claim("t1"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t2"), granted - 9_000_000)).fence()).isEqualTo(granted + 1);
	}

	@Test
	void extendRaisesACounterBelowTheFence() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence() + 100;
		granted(node().extend(claim("t1"), fence));
		granted(node().release(claim("t1"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t2"), fence - 9_000_000)).fence()).isEqualTo(fence + 1);
	}

	@Test
	void restoreWritesALostClaimAgain() {
		long fence = nowMicros();
		granted(node().restore(claim("t1"), fence));
		granted(node().extend(claim("t1"), fence));
		granted(node().release(claim("t1"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t2"), fence - 9_000_000)).fence()).isEqualTo(fence + 1);
	}

	@Test
	void restoreIsRefusedOnAForeignKey() {
		granted(node().acquire(claim("t1"), nowMicros()));
		assertThat(refused(node().restore(claim("t2"), nowMicros() + 1_000_000)).why()).isEqualTo(Refusal.HELD);
	}

	@Test
	void restoreIsRefusedWhereTheCounterHasMovedOn() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().release(claim("t1"), Duration.ZERO));
		assertThat(refused(node().restore(claim("t0"), fence - 1)).why()).isEqualTo(Refusal.LOST);
		granted(node().inspect(key()));
	}

	@Test
	void aTickIsMarkedOnceAndForTheHolderAlone() {
		Tick tick = tick(0);
		assertThat(refused(node().tick(claim("t1"), tick, true)).why()).isEqualTo(Refusal.LOST);
		granted(node().acquire(claim("t1|me"), nowMicros()));
		granted(node().tick(claim("t1|me"), tick, true));
		granted(node().tick(claim("t1|me"), tick, true));
		assertThat(refused(node().tick(claim("t2"), tick, true)).why()).isEqualTo(Refusal.TAKEN);
		granted(node().release(claim("t1|me"), Duration.ZERO));
		granted(node().acquire(claim("t2"), nowMicros()));
		Refused taken = refused(node().tick(claim("t2"), tick, true));
		assertThat(taken.why()).isEqualTo(Refusal.TAKEN);
		assertThat(taken.lastTick()).isEqualTo(tick.dueMicros());
	}

	@Test
	void aLaterTickIsMarkedAndAnEarlierOneIsNot() {
		granted(node().acquire(claim("t1"), nowMicros()));
		granted(node().tick(claim("t1"), tick(0), true));
		granted(node().tick(claim("t1"), tick(1), true));
		assertThat(refused(node().tick(claim("t1"), tick(0), true)).why()).isEqualTo(Refusal.TAKEN);
	}

	@Test
	void lookingAtATickMarksNothing() {
		assertThat(refused(node().tick(claim("t2"), tick(0), false)).why()).isEqualTo(Refusal.LOST);
		granted(node().acquire(claim("t1"), nowMicros()));
		granted(node().tick(claim("t1"), tick(0), false));
		granted(node().release(claim("t1"), Duration.ZERO));
		granted(node().acquire(claim("t2"), nowMicros()));
		granted(node().tick(claim("t2"), tick(0), true));
		assertThat(refused(node().tick(claim("t3"), tick(0), false)).why()).isEqualTo(Refusal.TAKEN);
	}

	@Test
	void aTickWithoutAnIntervalAsksWhetherTheTimeOfAnEarlierOneIsOver() {
		Tick over = Tick.atLeast(Duration.ZERO, Duration.ZERO);
		granted(node().acquire(claim("t1"), nowMicros()));
		granted(node().tick(claim("t1"), over, false));
		Tick rest = Tick.atLeast(Duration.ofSeconds(5), Duration.ofMillis(1));
		// A server that was first seen less than five seconds ago may have forgotten a
		// tick.
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			granted(node().release(claim("t1"), Duration.ZERO));
			granted(node().acquire(claim("t1"), nowMicros()));
			return node().tick(claim("t1"), rest, true).toCompletableFuture().join() instanceof Granted;
		});
		granted(node().release(claim("t1"), Duration.ZERO));
		granted(node().acquire(claim("t2"), nowMicros()));
		assertThat(refused(node().tick(claim("t2"), over, false)).why()).isEqualTo(Refusal.TAKEN);
	}

	@Test
	void aTickFarFromTheTimeOfTheNodeIsNotMarked() {
		granted(node().acquire(claim("t1"), nowMicros()));
		for (int days : new int[] { -9, 9 }) {
			Vote vote = node().tick(claim("t1"), tick(days * 24 * 3600), true)
				.toCompletableFuture()
				.orTimeout(5, TimeUnit.SECONDS)
				.join();
			assertThat(vote).isInstanceOf(Vote.Faulted.class);
		}
		granted(node().tick(claim("t1"), tick(0), true));
	}

	@Test
	void releaseDeletesOnlyWhatIsOwned() {
		granted(node().acquire(claim("t1"), nowMicros()));
		assertThat(refused(node().release(claim("t2"), Duration.ZERO)).why()).isEqualTo(Refusal.MISSING);
		assertThat(refused(node().inspect(key())).why()).isEqualTo(Refusal.HELD);
		granted(node().release(claim("t1"), Duration.ZERO));
		granted(node().inspect(key()));
	}

	@Test
	void releaseCanKeepTheKeyForAWhileButNoLonger() {
		granted(node().acquire(claim("t1"), nowMicros()));
		granted(node().release(claim("t1"), Duration.ofSeconds(2)));
		assertThat(refused(node().inspect(key())).remaining()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2));
		granted(node().release(claim("t1"), Duration.ofMinutes(5)));
		assertThat(refused(node().inspect(key())).remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void aReleaseCalledBehindAnAcquireUndoesIt() {
		for (int i = 0; i < 50; i++) {
			CompletionStage<Vote> acquired = node().acquire(claim("t" + i), nowMicros());
			CompletionStage<Vote> released = node().release(claim("t" + i), Duration.ZERO);
			granted(acquired);
			granted(released);
		}
		granted(node().inspect(key()));
	}

	@Test
	void aSuccessorTakesOverTheKeysWithANewTokenANewTtlAndAHigherFence() {
		long fence = granted(node().acquire(claim("t1").withTtl(TTL.multipliedBy(4)), nowMicros())).fence();
		assertThat(granted(node().acquire(strictly("t2|next", "t1", fence), fence + 5)).fence()).isEqualTo(fence + 5);
		assertThat(refused(node().extend(claim("t1"), fence)).why()).isEqualTo(Refusal.LOST);
		assertThat(refused(node().inspect(key())).holder()).isEqualTo("next");
		assertThat(refused(node().inspect(key())).remaining()).isLessThanOrEqualTo(TTL);
		granted(node().extend(claim("t2|next"), fence + 5));
		granted(node().release(claim("t2|next"), Duration.ZERO));
		assertThat(granted(node().acquire(claim("t3"), fence)).fence()).isEqualTo(fence + 6);
	}

	@Test
	void theFenceOfASuccessorIsAboveItsPredecessorsWhateverItProposes() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		assertThat(granted(node().acquire(strictly("t2", "t1", fence), fence - 9)).fence()).isEqualTo(fence + 1);
	}

	@Test
	void aNodeGrantsOneSuccessorHoweverOftenItIsAsked() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().acquire(strictly("t2", "t1", fence), fence + 5));
		assertThat(refused(node().acquire(strictly("t3", "t1", fence), fence + 5)).why()).isEqualTo(Refusal.HELD);
		granted(node().release(claim("t2"), Duration.ZERO));
		assertThat(refused(node().acquire(strictly("t3", "t1", fence), fence + 5)).why()).isEqualTo(Refusal.MISSING);
		granted(node().inspect(key()));
	}

	@Test
	void aStrictSuccessorGetsNothingWhereAnotherOwnerHasComeAndGoneThoughThePredecessorIsThereAgain() {
		long fence = granted(node().acquire(claim("t1"), nowMicros())).fence();
		granted(node().release(claim("t1"), Duration.ZERO));
		granted(node().acquire(claim("other"), fence + 3));
		granted(node().release(claim("other"), Duration.ZERO));
		granted(node().acquire(claim("t1|late"), fence));
		assertThat(refused(node().acquire(strictly("t2", "t1|late", fence), fence + 5)).why()).isEqualTo(Refusal.LOST);
		assertThat(refused(node().inspect(key())).holder()).as("nothing has changed").isEqualTo("late");
	}

	@Test
	void aStrictSuccessorIsRefusedUnlessThePredecessorHoldsAllKeysAndNothingChanges() {
		String[] keys = { key() + ":a", key() + ":b", key() + ":c" };
		long fence = granted(node().acquire(claim("t1", keys), nowMicros())).fence();
		granted(node().release(claim("t1", key() + ":b"), Duration.ZERO));
		assertThat(refused(node().acquire(strictly("t2", "t1", fence, keys), fence + 5)).why())
			.isEqualTo(Refusal.MISSING);
		granted(node().acquire(claim("other|you", key() + ":b"), fence));
		Refused taken = refused(node().acquire(strictly("t2", "t1", fence, keys), fence + 5));
		assertThat(taken.why()).isEqualTo(Refusal.HELD);
		assertThat(taken.holder()).isEqualTo("you");
		if (isOneServer()) {
			granted(node().extend(claim("t1", key() + ":a", key() + ":c"), fence));
		}
		granted(node().extend(claim("other|you", key() + ":b"), fence + 1));
	}

	@Test
	void aStrictSuccessorTakesOverAllKeys() {
		String[] keys = { key() + ":a", key() + ":b", key() + ":c" };
		long fence = granted(node().acquire(claim("t1", keys), nowMicros())).fence();
		assertThat(granted(node().acquire(strictly("t2", "t1", fence, keys), fence + 5)).fence()).isEqualTo(fence + 5);
		granted(node().extend(claim("t2", keys), fence + 5));
		assertThat(refused(node().release(claim("t1", keys), Duration.ZERO)).why()).isEqualTo(Refusal.MISSING);
		granted(node().release(claim("t2", keys), Duration.ZERO));
	}

	@Test
	void aHandOverTakesFreeKeysToo() {
		String[] keys = { key() + ":a", key() + ":b" };
		long fence = granted(node().acquire(claim("t1", key() + ":a"), nowMicros())).fence();
		Claim next = claim("t2", keys).succeeding(new Claim.Predecessor("t1", fence, false));
		assertThat(granted(node().acquire(next, fence + 5)).fence()).isEqualTo(fence + 5);
		granted(node().extend(claim("t2", keys), fence + 5));
	}

	@Test
	void aHandOverWithoutFencesTakesOverTheKeys() {
		granted(node().acquire(claim("t1"), Claim.UNFENCED));
		Claim next = claim("t2").succeeding(new Claim.Predecessor("t1", Claim.UNFENCED, false));
		assertThat(granted(node().acquire(next, Claim.UNFENCED)).fence()).isEqualTo(Claim.UNFENCED);
		granted(node().extend(claim("t2"), Claim.UNFENCED));
	}

	@Test
	void aRefusedHandOverReleasesThePredecessor() {
		String[] keys = { key() + ":a", key() + ":b" };
		long fence = granted(node().acquire(claim("t1", keys), nowMicros())).fence();
		granted(node().release(claim("t1", key() + ":b"), Duration.ZERO));
		granted(node().acquire(claim("other", key() + ":b"), nowMicros()));
		Claim next = claim("t2", keys).succeeding(new Claim.Predecessor("t1", fence, false));
		assertThat(refused(node().acquire(next, fence + 5)).why()).isEqualTo(Refusal.HELD);
		granted(node().inspect(key() + ":a"));
		granted(node().extend(claim("other", key() + ":b"), fence + 1));
	}

	@Test
	void aFreshNodeIsReadyAndHasAName() {
		assertThat(node().status().state()).isEqualTo(NodeStatus.State.READY);
		assertThat(node().name()).isNotBlank();
	}

	private Claim strictly(String token, String predecessor, long fence, String... keys) {
		return ((keys.length > 0) ? claim(token, keys) : claim(token))
			.succeeding(new Claim.Predecessor(predecessor, fence, true));
	}

	private Tick tick(int seconds) {
		if (this.soonMicros == 0) {
			// Later than the moment at which a server was first seen.
			this.soonMicros = nowMicros() + TimeUnit.SECONDS.toMicros(10);
		}
		return new Tick(this.soonMicros + TimeUnit.SECONDS.toMicros(seconds), Duration.ofMinutes(1),
				Duration.ofSeconds(1), false);
	}

}
