package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A ticket may come from a message or a header, so its token may be any text.
 */
class ForgedTicketTests {

	private static final String PREFIX = "redlock:";

	private static final NodeSettings SETTINGS = NodeFixture.settings(PREFIX, Duration.ofSeconds(60), false);

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@ParameterizedTest
	@ValueSource(strings = { "\uD800\u20AC", "\uDC00\uD800", "\uD800\u00E9\r\n*1\r\n$8\r\nFLUSHALL\r\n" })
	void noTokenOfATicketIsReadAsCommands(String token) {
		RedisProcess redis = this.fixture.server();
		RedisLockNode node = await(this.fixture.lettuce("node", redis.uri(), SETTINGS), State.READY);
		RedlockSettings settings = RedlockSettings.builder().keyPrefix(PREFIX).maxTtl(Duration.ofSeconds(60)).build();
		Redlock process = NodeFixture.redlock(List.of(node), settings, this.fixture.loop, this.fixture.ticker);
		String ticket = new Ticket(List.of("stock"), List.of("node"), PREFIX, token.repeat(40), 17,
				Duration.ofSeconds(30))
			.text();
		LockAttempt refused = process.attempt(LockRequest.succeeding(ticket)).toCompletableFuture().join();
		assertThat(refused.reason()).contains(Reason.TICKET_EXPIRED);
	}

}
