package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which keys are subscribed to, and what watches hear.
 */
class ReleaseSubscriptionsTests {

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Duration OVERDUE = NodeFixture.unguarded().overdue();

	private final ManualTime time = new ManualTime();

	private final List<Line> lines = new ArrayList<>();

	private final List<String> heard = new ArrayList<>();

	private Executor executor = Runnable::run;

	private boolean reachable = true;

	private boolean answers = true;

	private String problem = "no server";

	private @Nullable RuntimeException refusal;

	private final ReleaseSubscriptions subscriptions = new ReleaseSubscriptions(
			new NodeContext("n", false, NodeFixture.unguarded(), new ServerRegistry(),
					new PauseDetector(1, NodeFixture.unguarded(), this.time, this.time), this.time, this.time,
					(node, from, to) -> {
					}),
			this::connect, (work) -> this.executor.execute(work));

	@BeforeEach
	void connected() {
		this.time.execute(() -> this.subscriptions.nodeConnected(true));
	}

	@Test
	void nothingIsConnectedUntilAKeyIsWatched() {
		this.time.advance(Duration.ofHours(1));
		assertThat(this.lines).isEmpty();
		watch("k");
		assertThat(line().said).containsExactly("subscribe k");
	}

	@Test
	void aWatchListensWhenTheServerHasConfirmed() {
		Watch watch = watch("k");
		assertThat(watch.isListening()).isFalse();
		line().subscribed("k");
		assertThat(watch.isListening()).isTrue();
		line().message("k", "r:1:2");
		assertThat(this.heard).containsExactly("listening", "r:1 2");
	}

	@Test
	void aSecondWatchOfAKeyNeedsNoSecondSubscription() {
		watch("k");
		line().subscribed("k");
		Watch second = watch("k");
		assertThat(second.isListening()).isTrue();
		line().message("k", "r:1");
		assertThat(this.heard).containsExactly("listening", "listening", "r 1", "r 1");
		second.close();
		assertThat(line().said).containsExactly("subscribe k");
	}

	@Test
	void theLastWatchOfAKeyEndsItsSubscription() {
		Watch watch = watch("k");
		line().subscribed("k");
		watch.close();
		assertThat(watch.isListening()).isFalse();
		assertThat(line().said).containsExactly("subscribe k", "unsubscribe k");
		line().message("k", "r:1");
		watch.close();
		assertThat(this.heard).containsExactly("listening");
		assertThat(line().said).hasSize(2);
	}

	@Test
	void aWatchThatBeginsWhileTheLastOneEndsIsSubscribedAgain() {
		watch("k").close();
		Watch next = watch("k");
		line().subscribed("k");
		assertThat(next.isListening()).isTrue();
		line().unsubscribed("k");
		assertThat(next.isListening()).isFalse();
		assertThat(line().said).containsExactly("subscribe k", "unsubscribe k", "subscribe k", "subscribe k");
		line().subscribed("k");
		assertThat(next.isListening()).isTrue();
	}

	@Test
	void aKeyThatNobodyWatchesIsNotSubscribedAgain() {
		watch("k").close();
		line().unsubscribed("k");
		assertThat(line().said).containsExactly("subscribe k", "unsubscribe k");
	}

	@Test
	void aMessageOfAnotherKindIsIgnored() {
		watch("k");
		line().message("k", "hello");
		line().message("k", "{\"id\":\"5\"}");
		line().message("k", "r:99999999999");
		line().message("k", "r:-1");
		assertThat(this.heard).isEmpty();
	}

	@Test
	void aLostConnectionIsMadeAnewAfterASecondAndSubscribesToEachKey() {
		Watch one = watch("one");
		watch("other");
		line().subscribed("one");
		Line lost = line();
		lost.lose();
		assertThat(one.isListening()).isFalse();
		assertThat(lost.closed).isTrue();
		this.time.advance(PAUSE.minusNanos(1));
		assertThat(this.lines).hasSize(1);
		this.time.advance(Duration.ofNanos(1));
		assertThat(line().said).containsExactlyInAnyOrder("subscribe one", "subscribe other");
		lost.subscribed("one");
		assertThat(one.isListening()).isFalse();
	}

	@Test
	void aConnectionThatIsLostBeforeAnybodyListensToItIsMadeAnew() {
		this.refusal = new RedisException("Connection closed");
		watch("k");
		Line lost = line();
		this.refusal = null;
		this.time.advance(PAUSE);
		assertThat(lost.closed).isTrue();
		assertThat(this.lines).hasSize(2);
	}

	/**
	 * A system does not probe a connection on which it still repeats what it has sent,
	 * and gives it up after a quarter of an hour.
	 */
	@Test
	void aConnectionThatDoesNotAnswerIsMadeAnew() {
		Watch confirmed = watch("confirmed");
		line().subscribed("confirmed");
		Line silent = line();
		this.answers = false;
		watch("k");
		this.time.advance(OVERDUE.minusNanos(1));
		assertThat(silent.closed).isFalse();
		this.answers = true;
		this.time.advance(Duration.ofNanos(1));
		assertThat(silent.closed).isTrue();
		assertThat(confirmed.isListening()).isFalse();
		this.time.advance(PAUSE);
		assertThat(line().said).containsExactlyInAnyOrder("subscribe confirmed", "subscribe k");
	}

	@Test
	void aConnectionThatDoesNotAnswerTheEndOfASubscriptionIsMadeAnew() {
		watch("confirmed");
		line().subscribed("confirmed");
		Watch gone = watch("gone");
		line().subscribed("gone");
		Line silent = line();
		this.answers = false;
		gone.close();
		this.answers = true;
		this.time.advance(OVERDUE.plus(PAUSE));
		assertThat(silent.closed).isTrue();
		assertThat(line().said).containsExactly("subscribe confirmed");
	}

	@Test
	void aConnectionWhoseUserMayNotSubscribeIsKept() {
		this.refusal = new RedisCommandExecutionException("NOPERM");
		watch("k");
		this.time.advance(PAUSE);
		assertThat(line().said).containsExactly("subscribe k");
		assertThat(line().closed).isFalse();
	}

	@Test
	void aKeyIsSubscribedToAgainIfTheServerWasBusyRunningAScript() {
		watch("other");
		line().subscribed("other");
		this.refusal = new RedisCommandExecutionException("BUSY Redis is busy running a script.");
		watch("k");
		Watch gone = watch("gone");
		this.time.advance(PAUSE);
		this.refusal = null;
		gone.close();
		this.time.advance(PAUSE);
		assertThat(line().said).containsExactly("subscribe other", "subscribe k", "subscribe gone", "subscribe k",
				"subscribe gone", "unsubscribe gone", "subscribe k");
		this.time.advance(PAUSE);
		assertThat(this.time.pending()).isZero();
		assertThat(line().closed).isFalse();
	}

	@Test
	void aConnectionThatCannotBeMadeIsTriedAgainAfterASecond() {
		this.reachable = false;
		watch("k");
		this.time.advance(PAUSE.minusNanos(1));
		this.reachable = true;
		assertThat(this.lines).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(line().said).containsExactly("subscribe k");
	}

	@Test
	void anotherWatchDoesNotTryAConnectionThatHasJustFailed() {
		this.reachable = false;
		watch("k");
		this.reachable = true;
		watch("l");
		assertThat(this.lines).isEmpty();
		this.time.advance(PAUSE);
		assertThat(line().said).containsExactlyInAnyOrder("subscribe k", "subscribe l");
	}

	@Test
	void aConnectionWhosePasswordIsRefusedIsTriedAgainAsSeldomAsThatOfTheNode() {
		this.reachable = false;
		this.problem = "WRONGPASS invalid username-password pair or user is disabled.";
		watch("k");
		this.reachable = true;
		this.time.advance(ConnectionKeeper.PAUSE_WHILE_REFUSED.minusNanos(1));
		assertThat(this.lines).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(line().said).containsExactly("subscribe k");
	}

	@Test
	void aSubscriptionThatFoundNoThreadIsTriedAgainWhileTheNodeIsConnected() {
		this.executor = (work) -> {
			throw new RejectedExecutionException("full");
		};
		watch("k");
		this.executor = Runnable::run;
		this.time.advance(PAUSE);
		assertThat(line().said).containsExactly("subscribe k");
		this.subscriptions.nodeConnected(false);
		this.time.advance(PAUSE);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aConnectionThatIsMadeAfterTheNodeWasLostIsClosed() {
		List<Runnable> held = new ArrayList<>();
		this.executor = held::add;
		watch("k");
		this.time.execute(() -> this.subscriptions.nodeConnected(false));
		held.forEach(Runnable::run);
		assertThat(line().closed).isTrue();
		assertThat(line().said).isEmpty();
		this.time.advance(PAUSE);
		assertThat(this.lines).hasSize(1);
	}

	@Test
	void aConnectionThatWasBegunForAnEarlierConnectionOfTheNodeIsReplaced() {
		List<Runnable> held = new ArrayList<>();
		this.executor = held::add;
		watch("k");
		this.time.execute(() -> this.subscriptions.nodeConnected(false));
		this.executor = Runnable::run;
		this.time.execute(() -> this.subscriptions.nodeConnected(true));
		held.forEach(Runnable::run);
		assertThat(this.lines.get(0).closed).isTrue();
		this.time.advance(PAUSE);
		assertThat(this.lines).hasSize(2);
		assertThat(line().said).containsExactly("subscribe k");
	}

	@Test
	void aNodeThatIsLostNeitherListensNorKeepsAConnection() {
		Watch watch = watch("k");
		line().subscribed("k");
		Line old = line();
		this.time.execute(() -> this.subscriptions.nodeConnected(false));
		assertThat(watch.isListening()).isFalse();
		assertThat(old.closed).isTrue();
		old.message("k", "r:1");
		assertThat(this.heard).containsExactly("listening");
		this.time.execute(() -> this.subscriptions.nodeConnected(true));
		assertThat(line()).isNotSameAs(old);
		assertThat(line().said).containsExactly("subscribe k");
	}

	private Watch watch(String key) {
		return this.subscriptions.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				ReleaseSubscriptionsTests.this.heard.add("listening");
			}

			@Override
			public void released(String release, int listeners) {
				ReleaseSubscriptionsTests.this.heard.add(release + " " + listeners);
			}

		});
	}

	private Line line() {
		return this.lines.get(this.lines.size() - 1);
	}

	private SubscriptionConnection connect(SubscriptionConnection.Listener listener) {
		if (!this.reachable) {
			throw new IllegalStateException(this.problem);
		}
		Line line = new Line(listener);
		this.lines.add(line);
		return line;
	}

	/**
	 * A connection whose server says what a test lets it say.
	 */
	private final class Line implements SubscriptionConnection {

		private final Listener listener;

		private final List<String> said = new ArrayList<>();

		private boolean closed;

		private Line(Listener listener) {
			this.listener = listener;
		}

		void subscribed(String key) {
			this.listener.subscribed(key, 1);
		}

		void unsubscribed(String key) {
			this.listener.unsubscribed(key, 0);
		}

		void message(String key, String message) {
			this.listener.message(key, message);
		}

		void lose() {
			this.listener.onRedisDisconnected(null);
		}

		@Override
		public CompletionStage<Void> subscribe(String key) {
			this.said.add("subscribe " + key);
			RuntimeException refusal = ReleaseSubscriptionsTests.this.refusal;
			return (refusal != null) ? CompletableFuture.failedStage(refusal) : answer();
		}

		@Override
		public CompletionStage<Void> unsubscribe(String key) {
			this.said.add("unsubscribe " + key);
			return answer();
		}

		private CompletionStage<Void> answer() {
			return ReleaseSubscriptionsTests.this.answers ? CompletableFuture.completedFuture(null)
					: new CompletableFuture<>();
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}
