package dev.redlock.lettuce.internal.script;

import java.util.List;

import dev.redlock.spi.Vote.Granted;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Only an answer with a code, or a negative number, is a vote.
 */
class ScriptReplyTests {

	private final ScriptReply claimed = replyTo(LockScript.ACQUIRE);

	@Test
	void anAnswerWithoutANumberIsNoVote() {
		assertThat(this.claimed.isReadable()).isFalse();
	}

	@Test
	void aNumberIsNoVoteUnlessItIsNegative() {
		this.claimed.set(1);
		assertThat(this.claimed.isReadable()).isFalse();
	}

	@Test
	void aNegativeNumberGrantsTheProposedFence() {
		this.claimed.set(-5);
		assertThat(this.claimed.isReadable()).isTrue();
		assertThat(this.claimed.vote()).isEqualTo(new Granted(7, 5));
	}

	@Test
	void aNegativeNumberCountsTheSubscribersToARelease() {
		ScriptReply released = replyTo(LockScript.RELEASE);
		released.set(-3);
		assertThat(released.vote()).isEqualTo(new Granted(0, 0, 2));
	}

	private static ScriptReply replyTo(LockScript script) {
		return new ScriptReply(new ScriptCall(script, List.of("name"), "token", 1000, 7));
	}

}
