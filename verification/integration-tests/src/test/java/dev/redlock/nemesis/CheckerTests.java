package dev.redlock.nemesis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.nemesis.Event.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each invariant against a history written by hand that breaks it, and one that barely
 * does not. Times are small numbers.
 */
class CheckerTests {

	private static final String LOCK = "lock0";

	private final List<Event> events = new ArrayList<>();

	@Test
	void oneAfterTheOtherIsClean() {
		holding("a", 0, 10, 1, 100, 20);
		holding("b", 21, 30, 2, 100, 40);
		addition(Kind.CHECKED, LOCK, "a", 11, 19, 0);
		addition(Kind.CHECKED, LOCK, "b", 31, 39, 1);
		event(15, Kind.FAULT, "RESET", "0a", 0, 0);
		event(16, Kind.HEALED, "", "", 0, 0);
		Findings findings = check();
		assertThat(findings.isClean()).isTrue();
		assertThat(findings.attempts()).isEqualTo(2);
		assertThat(findings.acquisitions()).isEqualTo(2);
		assertThat(findings.faults()).isEqualTo(Map.of(Fault.RESET, 1));
	}

	@Test
	void twoWhoBelieveAtTheSameTimeOverlap() {
		holding("a", 0, 10, 1, 100, 50);
		holding("b", 5, 49, 2, 200, 60);
		assertThat(check().overlaps()).isOne();
		assertThat(check().isClean()).isFalse();
		assertThat(check().examples()).anySatisfy((example) -> assertThat(example).contains("overlap", "a", "b"));
	}

	@Test
	void aLeaseThatHadEndedBeforeItsClientCouldLookOverlapsNothing() {
		holding("stopped", 0, 50, 1, 49, 60);
		holding("other", 20, 30, 2, 100, 90);
		assertThat(check().overlaps()).isZero();
	}

	@Test
	void aLeaseWithALittleLeftWhenItsClientLooksDoesOverlap() {
		holding("stopped", 0, 50, 1, 51, 60);
		holding("other", 20, 30, 2, 100, 90);
		assertThat(check().overlaps()).isOne();
	}

	@Test
	void aShortHoldingInsideOfALongOneDoesNotHideTheNextOverlap() {
		holding("a", 0, 10, 1, 100, 90);
		holding("b", 11, 20, 2, 100, 21);
		holding("c", 21, 30, 3, 100, 31);
		assertThat(check().overlaps()).isEqualTo(2);
	}

	@Test
	void beliefEndsWithTheValidityTheNewsOfALossOrTheBeginningOfTheRelease() {
		holding("expired", 0, 10, 1, 20, 500);
		holding("told", 11, 21, 2, 100, 500);
		event(30, Kind.LOST, LOCK, "told", 0, 0);
		holding("released", 31, 31, 3, 100, 40);
		holding("last", 40, 41, 4, 100, 50);
		assertThat(check().overlaps()).isZero();
	}

	@Test
	void aThirdHolderOfTwoPermitsIsFound() {
		holding("a", 0, 10, 0, 100, 50);
		holding("b", 5, 20, 0, 100, 90);
		holding("c", 6, 49, 0, 100, 60);
		assertThat(check(2).overlaps()).isOne();
		assertThat(check(3).overlaps()).isZero();
	}

	@Test
	void aHolderThatComesWhenOneOfTwoHasGoneIsNoThird() {
		holding("a", 0, 10, 0, 100, 50);
		holding("b", 5, 20, 0, 100, 90);
		holding("c", 6, 50, 0, 100, 60);
		holding("d", 6, 61, 0, 100, 70);
		assertThat(check(2).overlaps()).isZero();
	}

	@Test
	void aLockThatWasRenewedIsBelievedInForLonger() {
		holding("leader", 0, 10, 1, 30, 500);
		event(20, Kind.RENEWED, LOCK, "leader", 0, 80);
		holding("other", 31, 79, 2, 100, 90);
		assertThat(check().overlaps()).isOne();
	}

	@Test
	void whoStoodStillUntilItsLeaseHadEndedDidNotBelieveInItMeanwhile() {
		holding("leader", 0, 10, 1, 30, 500);
		event(60, Kind.RENEWED, LOCK, "leader", 0, 60);
		holding("other", 11, 31, 2, 100, 50);
		assertThat(check().overlaps()).isZero();
	}

	@Test
	void whoWasToldOfALossBelievesInNoRenewalAfterIt() {
		holding("leader", 0, 10, 1, 30, 500);
		event(20, Kind.LOST, LOCK, "leader", 0, 0);
		event(21, Kind.RENEWED, LOCK, "leader", 0, 80);
		holding("other", 11, 31, 2, 100, 90);
		assertThat(check().overlaps()).isZero();
	}

	@Test
	void whoCountsFromTheCallBelievesForLessTime() {
		event(0, Kind.TRY, LOCK, "a", 30, 0);
		event(20, Kind.WON, LOCK, "a", 1, 50);
		holding("b", 31, 40, 2, 100, 60);
		assertThat(check().overlaps()).isOne();
		assertThat(check().overlapsFromTheCall()).isZero();
	}

	@Test
	void aFenceBelowThatOfALeaseHandedOutBeforeItWasAskedForIsOutOfOrder() {
		holding("a", 0, 10, 10, 100, 11);
		holding("b", 11, 20, 7, 100, 21);
		assertThat(check().orderViolations()).isOne();
	}

	@Test
	void fencesOfAttemptsThatWereUnderWayTogetherMayComeInAnyOrder() {
		holding("a", 0, 10, 10, 100, 11);
		holding("b", 9, 20, 7, 100, 21);
		assertThat(check().orderViolations()).isZero();
	}

	@Test
	void theHighestFenceOfThePastCountsNotTheLast() {
		holding("a", 0, 10, 10, 100, 11);
		holding("b", 9, 20, 7, 100, 21);
		holding("c", 21, 30, 8, 100, 31);
		assertThat(check().orderViolations()).isOne();
	}

	@Test
	void theSameFenceTwiceIsADuplicate() {
		holding("a", 0, 10, 10, 100, 11);
		holding("b", 5, 20, 10, 100, 21);
		assertThat(check().duplicates()).isOne();
		assertThat(check().orderViolations()).isZero();
	}

	@Test
	void aWriteThatDoesNotBuildOnTheLastOneLosesIt() {
		addition(Kind.CHECKED, LOCK, "a", 8, 10, 0);
		addition(Kind.CHECKED, LOCK, "b", 9, 11, 0);
		addition(Kind.UNCHECKED, LOCK, "c", 8, 12, 0);
		addition(Kind.UNCHECKED, LOCK, "d", 9, 13, 1);
		addition(Kind.UNCHECKED, LOCK, "e", 9, 14, 1);
		addition(Kind.UNCHECKED, "lock1", "f", 9, 15, 0);
		assertThat(check().lostChecked()).isOne();
		assertThat(check().lostUnchecked()).isOne();
		assertThat(check().isClean()).isFalse();
	}

	@Test
	void anAdditionWhoseAnswerIsSlowToArriveIsInOrder() {
		addition(Kind.CHECKED, LOCK, "slow", 1, 50, 0);
		addition(Kind.CHECKED, LOCK, "quick", 2, 10, 1);
		assertThat(check().lostChecked()).isZero();
	}

	@Test
	void anAdditionToWhatWasNeverWrittenIsNotInOrder() {
		addition(Kind.CHECKED, LOCK, "a", 1, 10, 0);
		addition(Kind.CHECKED, LOCK, "b", 11, 20, 7);
		assertThat(check().lostChecked()).isOne();
	}

	@Test
	void aHolderThatNeverHearsThatItsLockHasEndedIsFound() {
		event(0, Kind.TRY, LOCK, "forgetful", 100, 0);
		event(10, Kind.WON, LOCK, "forgetful", 1, 100);
		event(5_000_000_000L, Kind.FAILED, LOCK, "later", 0, 0);
		assertThat(check().lossesNotTold()).isOne();
		event(101, Kind.LOST, LOCK, "forgetful", 0, 0);
		assertThat(check().lossesNotTold()).isZero();
	}

	@Test
	void aKeyThatIsLeftIsAnOrphan() {
		event(10, Kind.ORPHAN, "nemesis:lock0", "a", 0, 0);
		assertThat(check().orphans()).isOne();
		assertThat(check().isClean()).isFalse();
	}

	@Test
	void aNameThatIsNotGrantedAfterHealingIsFound() {
		holding("a", 0, 10, 1, 100, 20);
		event(30, Kind.HEALED, "", "", 0, 0);
		assertThat(check().notGranted()).containsExactly(LOCK);
		holding("b", 31, 40, 2, 100, 50);
		assertThat(check().notGranted()).isEmpty();
	}

	private void holding(String attempt, long tried, long won, long fence, long validUntil, long released) {
		event(tried, Kind.TRY, LOCK, attempt, 1_000, 0);
		event(won, Kind.WON, LOCK, attempt, fence, validUntil);
		event(released, Kind.RELEASE, LOCK, attempt, 0, 0);
	}

	private void addition(Kind kind, String name, String attempt, long begun, long ended, long read) {
		event(begun, Kind.ADD, name, attempt, 0, 0);
		event(ended, kind, name, attempt, read, read + 1);
	}

	private void event(long nanos, Kind kind, String subject, String attempt, long first, long second) {
		this.events.add(new Event(nanos, "client", kind, subject, attempt, first, second));
	}

	private Findings check() {
		return check(1);
	}

	private Findings check(int permits) {
		this.events.sort(Comparator.comparingLong(Event::nanos));
		return Checker.check(this.events, Set.of(LOCK), permits);
	}

}
