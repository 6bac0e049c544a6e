package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.lettuce.internal.check.ScriptedServer.Link;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.clock.PauseDetector;
import dev.redlock.lettuce.internal.facts.ServerRegistry;
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

	private final ManualTime time = new ManualTime();

	private final List<String> heard = new ArrayList<>();

	private final ReleaseSubscriptions subscriptions = new ReleaseSubscriptions(
			new NodeContext("n", false, NodeFixture.unguarded(), new ServerRegistry(),
					new PauseDetector(1, NodeFixture.unguarded(), this.time, this.time), this.time, this.time));

	private Link link = new Link();

	@BeforeEach
	void connected() {
		connected(this.link);
	}

	@Test
	void aWatchListensWhenTheServerHasConfirmed() {
		Watch watch = watch("k");
		assertThat(watch.isListening()).isFalse();
		confirm("k");
		assertThat(watch.isListening()).isTrue();
		receive("k", "r:1:2");
		assertThat(this.heard).containsExactly("listening", "r:1 2");
	}

	@Test
	void aSecondWatchOfAKeyNeedsNoSecondSubscription() {
		watch("k");
		confirm("k");
		Watch second = watch("k");
		assertThat(second.isListening()).isTrue();
		receive("k", "r:1");
		assertThat(this.heard).containsExactly("listening", "listening", "r 1", "r 1");
		second.close();
		assertThat(this.link.said).containsExactly("subscribe k");
	}

	@Test
	void theLastWatchOfAKeyEndsItsSubscription() {
		Watch watch = watch("k");
		confirm("k");
		watch.close();
		assertThat(watch.isListening()).isFalse();
		receive("k", "r:1");
		watch.close();
		assertThat(this.heard).containsExactly("listening");
		assertThat(this.link.said).containsExactly("subscribe k", "unsubscribe k");
	}

	@Test
	void aWatchThatBeginsWhileTheLastOneEndsIsSubscribedAgain() {
		watch("k").close();
		Watch next = watch("k");
		confirm("k");
		assertThat(next.isListening()).isTrue();
		receive("k", null);
		assertThat(next.isListening()).isFalse();
		assertThat(this.link.said).containsExactly("subscribe k", "unsubscribe k", "subscribe k", "subscribe k");
		confirm("k");
		assertThat(next.isListening()).isTrue();
	}

	@Test
	void aKeyThatNobodyWatchesIsNotSubscribedAgain() {
		Watch watch = watch("k");
		watch.close();
		confirm("k");
		assertThat(watch.isListening()).isFalse();
		receive("k", null);
		assertThat(this.link.said).containsExactly("subscribe k", "unsubscribe k");
	}

	@Test
	void aMessageOfAnotherKindIsIgnored() {
		watch("k");
		receive("k", "hello");
		receive("k", "{\"id\":\"5\"}");
		receive("k", "r:99999999999");
		receive("k", "r:-1");
		assertThat(this.heard).isEmpty();
	}

	@Test
	void aKeyWhoseSubscriptionIsRefusedIsNotTriedAgainOverThisConnection() {
		watch("k");
		fail("k", new RedisCommandExecutionException("NOPERM"));
		this.time.advance(PAUSE);
		assertThat(this.link.said).containsExactly("subscribe k");
	}

	@Test
	void aKeyIsSubscribedToAgainIfTheServerWasBusyOrDidNotAnswer() {
		Watch gone = watch("gone");
		watch("k");
		fail("gone", new RedisCommandExecutionException("BUSY Redis is busy running a script."));
		fail("k", new RedisCommandExecutionException("BUSY Redis is busy running a script."));
		gone.close();
		this.time.advance(PAUSE);
		fail("k", new RedisException("Request queue size exceeded"));
		this.time.advance(PAUSE);
		assertThat(this.link.said).containsExactly("subscribe gone", "subscribe k", "unsubscribe gone", "subscribe k",
				"subscribe k");
		confirm("k");
		this.time.advance(PAUSE);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aLostConnectionIsSilentAndTheNextOneSubscribesToEachKey() {
		Watch one = watch("one");
		confirm("one");
		watch("other");
		connected(null);
		assertThat(one.isListening()).isFalse();
		confirm("other");
		assertThat(this.heard).containsExactly("listening");
		watch("later");
		this.link = new Link();
		connected(this.link);
		assertThat(this.link.said).containsExactlyInAnyOrder("subscribe one", "subscribe other", "subscribe later");
		confirm("one");
		assertThat(one.isListening()).isTrue();
	}

	private void connected(@Nullable Link current) {
		this.time.execute(() -> this.subscriptions.nodeConnected(current));
	}

	private void confirm(String key) {
		this.link.subscriptions.get(key).complete(null);
	}

	private void fail(String key, RuntimeException failure) {
		this.link.subscriptions.get(key).completeExceptionally(failure);
	}

	private void receive(String key, @Nullable String message) {
		this.link.messages.accept(key, message);
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

}
