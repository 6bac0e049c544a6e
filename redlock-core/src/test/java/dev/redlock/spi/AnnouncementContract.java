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

	/**
	 * Whether this kind of node can listen for releases.
	 */
	protected boolean listens() {
		return true;
	}

	@Test
	void aReleaseIsToldToThoseWhoWatch() {
		Ears ears = new Ears();
		try (Watching watching = watch(ears)) {
			if (!watching.hears()) {
				return;
			}
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
		Ears ears = new Ears();
		try (Watching watching = watch(ears)) {
			Claim slot = new Claim(List.of(key() + "#1"), "slot-one", Duration.ofSeconds(10), key());
			if (!watching.hears() || !node().announces(List.of(key() + "#1", key()))) {
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
		Ears ears = new Ears();
		try (Watching watching = watch(ears)) {
			if (!watching.hears()) {
				return;
			}
			granted(node().acquire(claim("quiet"), nowMicros()));
			assertThat(granted(node().release(claim("quiet"), Duration.ZERO, false)).listeners()).isEqualTo(1);
			granted(node().acquire(claim("loud"), nowMicros()));
			refused(node().release(claim("nobody"), Duration.ZERO));
			granted(node().release(claim("loud"), Duration.ZERO));
			assertThat(ears.next()).isEqualTo("loud:1");
		}
	}

	@Test
	void aReleaseOfAKeyThatIsFreeIsToldBecauseTheLastOneMayNotHaveBeen() {
		Ears ears = new Ears();
		try (Watching watching = watch(ears)) {
			if (!watching.hears()) {
				return;
			}
			granted(node().acquire(claim("quiet"), nowMicros()));
			granted(node().release(claim("quiet"), Duration.ZERO, false));
			refused(node().release(claim("silent"), Duration.ZERO, false));
			refused(node().release(claim("refused"), Duration.ZERO));
			assertThat(ears.next()).isEqualTo("refused:1");
		}
	}

	@Test
	void whoStoppedWatchingIsNotCounted() {
		Ears ears = new Ears();
		watch(ears).close();
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
		int listeners;
		do {
			granted(node().acquire(claim("t1"), nowMicros()));
			listeners = granted(node().release(claim("t1"), Duration.ZERO)).listeners();
		}
		while (listeners > 0 && System.nanoTime() < deadline);
		assertThat(listeners).isZero();
	}

	private Watching watch(Ears ears) {
		Watch watch = node().watch(key(), ears);
		boolean hears = listens();
		if (hears) {
			assertThat(ears.next()).isEqualTo("listening");
		}
		assertThat(watch.isListening()).isEqualTo(hears);
		return new Watching(watch, hears);
	}

	private record Watching(Watch watch, boolean hears) implements AutoCloseable {

		@Override
		public void close() {
			this.watch.close();
		}

	}

	private static final class Ears implements ReleaseListener {

		private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

		@Override
		public void listening() {
			this.heard.add("listening");
		}

		@Override
		public void released(String release, int listeners) {
			this.heard.add(release + ":" + listeners);
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
