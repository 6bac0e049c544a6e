package dev.redlock.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class EventLoopTests {

	private final List<String> handled = new ArrayList<>();

	private final Loop loop = new Loop();

	@Test
	void onTheLoopAnEventIsHandledAtOnce() {
		this.loop.inside = true;
		this.loop.ended = true;
		assertThat(this.loop.run(() -> this.handled.add("now"))).isTrue();
		assertThat(this.handled).containsExactly("now");
	}

	@Test
	void elsewhereAnEventIsHandledSoon() {
		assertThat(this.loop.run(() -> this.handled.add("soon"))).isTrue();
		assertThat(this.handled).isEmpty();
		this.loop.events.forEach(Runnable::run);
		assertThat(this.handled).containsExactly("soon");
	}

	@Test
	void alsoOnTheLoopAPostedEventIsHandledLater() {
		this.loop.inside = true;
		assertThat(this.loop.post(() -> this.handled.add("later"))).isTrue();
		assertThat(this.handled).isEmpty();
		assertThat(this.loop.events).hasSize(1);
	}

	@Test
	void whatAnEventThrowsReachesTheLoopAndNotTheCaller() {
		this.loop.inside = true;
		assertThat(this.loop.run(() -> {
			throw new IllegalStateException("a bug");
		})).isTrue();
		assertThat(this.loop.events).singleElement()
			.satisfies((event) -> assertThatIllegalStateException().isThrownBy(event::run).withMessage("a bug"));
	}

	@Test
	void whenTheLoopHasEndedAnEventIsNotHandled() {
		this.loop.ended = true;
		assertThat(this.loop.run(() -> this.handled.add("never"))).isFalse();
		assertThat(this.loop.post(() -> this.handled.add("never"))).isFalse();
		assertThat(this.handled).isEmpty();
	}

	private static final class Loop implements EventLoop {

		private final List<Runnable> events = new ArrayList<>();

		private boolean inside;

		private boolean ended;

		@Override
		public boolean inLoop() {
			return this.inside;
		}

		@Override
		public void execute(Runnable event) {
			if (this.ended) {
				throw new RejectedExecutionException("ended");
			}
			this.events.add(event);
		}

		@Override
		public Timeout schedule(Duration delay, Runnable task) {
			return Timeout.NONE;
		}

	}

}
