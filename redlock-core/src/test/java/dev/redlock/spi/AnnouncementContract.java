package dev.redlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How every kind of node announces releases.
 */
public abstract class AnnouncementContract extends NodeUnderTest {

	@Test
	void aReleaseIsToldToThoseWhoWatch() {
		try (Ears ears = ears()) {
			granted(node().acquire(claim("token-one"), nowMicros()));
			assertThat(granted(node().release(claim("token-one"), Duration.ZERO)).listeners()).isEqualTo(1);
			assertThat(ears.next()).isEqualTo("token-on:1");
			granted(node().acquire(claim("token-two"), nowMicros()));
			granted(node().release(claim("token-two"), Duration.ofSeconds(1)));
			assertThat(ears.next()).as("it will be gone before long").isEqualTo("token-tw:1");
		}
	}

	@Test
	void aClaimWithAChannelIsAnnouncedThere() {
		try (Ears ears = ears()) {
			Claim slot = new Claim(List.of(key() + "#1"), "slot-one", Duration.ofSeconds(10), key());
			if (!node().announces(List.of(key() + "#1", key()))) {
				return;
			}
			granted(node().acquire(slot, Claim.UNFENCED));
			assertThat(granted(node().release(slot, Duration.ZERO)).listeners()).isEqualTo(1);
			assertThat(ears.next()).isEqualTo("slot-one:1");
			granted(node().inspect(key() + "#1"));
		}
	}

	@Test
	void aQuietReleaseOnlyCountsThoseWhoWatch() {
		try (Ears ears = ears()) {
			granted(node().acquire(claim("quiet"), nowMicros()));
			assertThat(granted(node().release(claim("quiet"), Duration.ZERO, false)).listeners()).isEqualTo(1);
			granted(node().acquire(claim("loud"), nowMicros()));
			refused(node().release(claim("nobody"), Duration.ZERO));
			granted(node().release(claim("loud"), Duration.ZERO));
			assertThat(ears.next()).isEqualTo("loud:1");
		}
	}

	@Test
	void aHandOverOnlyCountsThoseWhoWatch() {
		try (Ears ears = ears()) {
			long fence = granted(node().acquire(claim("first"), nowMicros())).fence();
			Claim next = claim("next").succeeding(new Claim.Predecessor("first", fence, false));
			assertThat(granted(node().acquire(next, fence + 1)).listeners()).isEqualTo(1);
			granted(node().release(claim("next"), Duration.ZERO));
			assertThat(ears.next()).isEqualTo("next:1");
		}
	}

	@Test
	void aReleaseOfAKeyThatIsFreeIsToldBecauseTheLastOneMayNotHaveBeen() {
		try (Ears ears = ears()) {
			granted(node().acquire(claim("quiet"), nowMicros()));
			granted(node().release(claim("quiet"), Duration.ZERO, false));
			refused(node().release(claim("silent"), Duration.ZERO, false));
			refused(node().release(claim("refused"), Duration.ZERO));
			assertThat(ears.next()).isEqualTo("refused:1");
		}
	}

	@Test
	void whoStoppedWatchingIsNotCounted() {
		ears().close();
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
		int listeners;
		do {
			granted(node().acquire(claim("t1"), nowMicros()));
			listeners = granted(node().release(claim("t1"), Duration.ZERO)).listeners();
		}
		while (listeners > 0 && System.nanoTime() < deadline);
		assertThat(listeners).isZero();
	}

	private Ears ears() {
		Ears ears = new Ears();
		ears.watch = node().watch(key(), ears);
		assertThat(ears.next()).isEqualTo("listening");
		assertThat(ears.watch.isListening()).isTrue();
		return ears;
	}

	private static final class Ears implements ReleaseListener, AutoCloseable {

		private Watch watch = Watch.DEAF;

		private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

		@Override
		public void listening() {
			this.heard.add("listening");
		}

		@Override
		public void released(String release, int listeners) {
			this.heard.add(release + ":" + listeners);
		}

		@Override
		public void close() {
			this.watch.close();
		}

		private String next() {
			try {
				return String.valueOf(this.heard.poll(5, TimeUnit.SECONDS));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
