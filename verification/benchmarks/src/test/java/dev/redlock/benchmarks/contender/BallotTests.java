package dev.redlock.benchmarks.contender;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BallotTests {

	@ParameterizedTest
	@CsvSource({ "1, 1, 1", "2, 2, 1", "3, 2, 2", "4, 3, 2", "5, 3, 3", "6, 4, 3", "7, 4, 4" })
	void decidesAsSoonAsItCan(int voters, int grantsToWin, int refusalsToLose) {
		assertThat(decidedAfter(voters, true)).isEqualTo(grantsToWin);
		assertThat(decidedAfter(voters, false)).isEqualTo(refusalsToLose);
	}

	@Test
	void aVoteAfterTheDecisionChangesNothing() {
		Ballot ballot = new Ballot(3);
		ballot.count(true);
		ballot.count(true);
		ballot.count(false);
		assertThat(ballot).isCompletedWithValue(true);
	}

	private static int decidedAfter(int voters, boolean vote) {
		Ballot ballot = new Ballot(voters);
		int votes = 0;
		while (!ballot.isDone()) {
			ballot.count(vote);
			votes++;
		}
		assertThat(ballot).isCompletedWithValue(vote);
		return votes;
	}

}
