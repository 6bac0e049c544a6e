package dev.redlock.lettuce.internal.script;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Only an answer with a code is a vote.
 */
class ScriptReplyTests {

	@Test
	void anAnswerWithoutACodeIsNoVote() {
		assertThat(new ScriptReply().isReadable()).isFalse();
	}

}
