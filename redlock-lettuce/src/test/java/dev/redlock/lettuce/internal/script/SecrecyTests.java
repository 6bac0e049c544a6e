package dev.redlock.lettuce.internal.script;

import java.util.List;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Refused;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SecrecyTests {

	@Test
	void theArgumentsOfACommandShowNoToken() {
		ScriptArguments arguments = new ScriptEncoder(NodeFixture.unguarded())
			.encode(new ScriptCall(LockScript.ACQUIRE, List.of("k"), "secret|label", 10, 20), null);
		assertThat(arguments.toCommandString()).contains("k").doesNotContain("secret");
		assertThat(arguments.toString()).doesNotContain("secret");
	}

	@Test
	void anErrorThatRepeatsACommandIsCutOff() {
		Vote.Faulted fault = ServerErrors
			.fault("ERR unknown command 'EVALSHA', with args beginning with: 'digest' '2' 'secret'");
		assertThat(fault.detail()).contains("unknown command").doesNotContain("secret");
	}

	@Test
	void onlyTheLabelOfAHolderIsShown() {
		assertThat(Refused.heldBy("secret|shop@host", null).holder()).isEqualTo("shop@host");
		assertThat(Refused.heldBy("secret|shop|eu@host", null).holder()).isEqualTo("shop|eu@host");
		assertThat(Refused.heldBy("secret~~silent@host", null).holder()).isEqualTo("silent@host");
		assertThat(Refused.heldBy("foreign-token", null).holder()).isNull();
		assertThat(Refused.heldBy(null, null).holder()).isNull();
	}

	@Test
	void errorsAreSortedByWhatTheyMean() {
		assertThat(ServerErrors.fault("OOM command not allowed").fault()).isEqualTo(Vote.Fault.MISCONFIGURED);
		assertThat(ServerErrors.fault("NOREPLICAS Not enough").fault()).isEqualTo(Vote.Fault.MISCONFIGURED);
		assertThat(ServerErrors.fault("CLUSTERDOWN The cluster").fault()).isEqualTo(Vote.Fault.UNAVAILABLE);
		assertThat(ServerErrors.fault("ERR ACL failure in script: User x has no permissions").fault())
			.isEqualTo(Vote.Fault.MISCONFIGURED);
		assertThat(ServerErrors.fault("NOSCRIPT No matching script").fault()).isEqualTo(Vote.Fault.STALE);
		assertThat(ServerErrors.fault("LOADING Redis is loading").fault()).isEqualTo(Vote.Fault.UNAVAILABLE);
		assertThat(ServerErrors.fault("ERR something").fault()).isEqualTo(Vote.Fault.ERROR);
	}

}
