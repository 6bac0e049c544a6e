package dev.redlock.lettuce.internal.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.connection.LoopWithTimers;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a node connects, and each pause before it tries again.
 */
class ConnectionKeeperTests implements ConnectionKeeper.Listener {

	private static final RuntimeException WRONG_PASSWORD = new RedisConnectionException("Unable to connect",
			new RuntimeException("WRONGPASS invalid username-password pair or user is disabled."));

	private final ManualTime time = new ManualTime();

	private final ScriptedServer server = new ScriptedServer();

	private final List<Duration> pauses = new ArrayList<>();

	private final List<String> news = new ArrayList<>();

	private final NodeSettings settings = NodeFixture.unguarded();

	private final NodeContext context = new NodeContext("n", false, this.settings, new ServerRegistry(),
			new PauseDetector(1, this.settings, this.time, this.time), new LoopWithTimers(this.time, (delay, task) -> {
				this.pauses.add(delay);
				return this.time.schedule(delay, task);
			}), this.time);

	private final ConnectionKeeper keeper = new ConnectionKeeper(this.server,
			new ServerCheck(this.context, new NodeClocks(this.context, () -> null, (step) -> false)), this.context,
			this);

	@Test
	void aServerThatCannotBeReachedIsTriedAfterARandomPauseThatDoublesUpToTwoSeconds() {
		this.server.unreachable = new IllegalStateException("no server");
		connect();
		this.time.advance(Duration.ofSeconds(10));
		long[] longest = { 100, 200, 400, 800, 1600, 2000, 2000 };
		for (int i = 0; i < longest.length; i++) {
			assertThat(this.pauses.get(i).toNanos()).as("pause " + i)
				.isBetween(longest[i] * 500_000, longest[i] * 1_000_000);
		}
		assertThat(this.server.tries).isEqualTo(this.pauses.size());
		assertThat(this.news).hasSize(this.pauses.size()).containsOnly("UNAVAILABLE no server");
	}

	@Test
	void aRejectedPasswordIsTriedAgainAfterFiveSeconds() {
		this.server.unreachable = WRONG_PASSWORD;
		connect();
		this.time.advance(Duration.ofSeconds(5).minusNanos(1));
		assertThat(this.server.tries).isEqualTo(1);
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.server.tries).isEqualTo(2);
		assertThat(this.news).hasSize(2)
			.allSatisfy((text) -> assertThat(text)
				.startsWith("UNFIT The server does not accept the user name or the password (WRONGPASS)")
				.endsWith("Change the password"));
	}

	@Test
	void aConnectionThatDidNotLastDoesNotShortenThePause() {
		connect();
		for (long longest : new long[] { 100, 200, 400 }) {
			this.time.advance(Duration.ofMillis(499));
			lose();
			assertThat(lastPause().toMillis()).isBetween(longest / 2, longest);
			this.time.advance(lastPause());
		}
	}

	@Test
	void aConnectionThatLastedHalfASecondResetsThePause() {
		connect();
		lose();
		this.time.advance(lastPause());
		this.time.advance(Duration.ofMillis(500));
		lose();
		assertThat(lastPause().toMillis()).isBetween(50L, 100L);
		this.time.advance(lastPause());
		this.time.advance(Duration.ofMillis(500));
		lose();
		assertThat(lastPause().toMillis()).isBetween(50L, 100L);
	}

	@Test
	void aThreadThatCouldNotBeMadeIsNotTheEndOfConnecting() {
		this.server.executor = (work) -> {
			throw new OutOfMemoryError("unable to create native thread");
		};
		connect();
		this.server.executor = Runnable::run;
		this.time.advance(Duration.ofMillis(100));
		assertThat(this.server.tries).isEqualTo(1);
		assertThat(this.news).endsWith("connected");
	}

	@Test
	void theListenerHearsOfALossBeforeTheConnectionIsClosed() {
		connect();
		lose();
		assertThat(this.news).containsExactly("connected", "UNAVAILABLE gone, not yet closed");
		assertThat(this.server.link().closed).isTrue();
	}

	@Test
	void aConnectionThatIsMadeAfterTheEndIsClosed() {
		List<Runnable> held = new ArrayList<>();
		this.server.executor = held::add;
		connect();
		assertThat(this.keeper.close()).isCompleted();
		held.forEach(Runnable::run);
		assertThat(this.server.link().closed).isTrue();
		assertThat(this.news).isEmpty();
	}

	@Test
	void nothingIsTriedAfterTheEnd() {
		List<Runnable> held = new ArrayList<>();
		this.server.executor = held::add;
		this.server.unreachable = new IllegalStateException("no server");
		connect();
		this.keeper.close();
		held.forEach(Runnable::run);
		this.time.execute(this.keeper::connect);
		assertThat(this.news).isEmpty();
		assertThat(this.time.pending()).isZero();
		assertThat(held).hasSize(1);
	}

	@Test
	void thePauseBeforeATryEndsWithTheNode() {
		this.server.unreachable = new IllegalStateException("no server");
		connect();
		this.keeper.close();
		assertThat(this.time.pending()).isZero();
	}

	private Duration lastPause() {
		return this.pauses.get(this.pauses.size() - 1);
	}

	private void connect() {
		this.time.execute(this.keeper::connect);
	}

	private void lose() {
		this.time.execute(() -> this.keeper.reconnect("gone"));
	}

	@Override
	public void connected(NodeConnection connection) {
		this.news.add("connected");
	}

	@Override
	public void disconnected(State state, String why) {
		boolean open = !this.server.links.isEmpty() && !this.server.link().closed;
		this.news.add(state + " " + why + (open ? ", not yet closed" : ""));
	}

}
