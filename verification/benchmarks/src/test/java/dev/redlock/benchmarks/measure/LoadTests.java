package dev.redlock.benchmarks.measure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.benchmarks.contender.Contender;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTests {

	private final Load load = new Load("hot", true, 4, 50);

	@Test
	void aLockKeepsThePlainCounterExact() {
		SharedCounter counter = SharedCounter.create();
		SharedCounter sameFile = SharedCounter.open(counter.file());
		Tally tally = this.load.run(new LocalLock(), counter::increment);
		assertThat(tally.total()).isPositive().isEqualTo(sameFile.get());
		assertThat(tally.locks()).hasSize(4);
		assertThat(tally.waits().micros(1)).isPositive();
	}

	@Test
	void whatALibraryThrowsIsPartOfItsResult() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Tally tally = this.load.run(new LocalLock() {
			@Override
			public boolean withLock(String name, Runnable work) {
				if (broken.getAndSet(false)) {
					throw new IllegalStateException("It broke");
				}
				return super.withLock(name, work);
			}
		}, () -> {
		});
		assertThat(tally.failures()).isOne();
		assertThat(tally.complaint()).contains("It broke");
		assertThat(tally.total()).isPositive();
	}

	private static class LocalLock implements Contender {

		private final ReentrantLock lock = new ReentrantLock();

		@Override
		public boolean withLock(String name, Runnable work) {
			this.lock.lock();
			try {
				work.run();
				return true;
			}
			finally {
				this.lock.unlock();
			}
		}

		@Override
		public void close() {
		}

	}

}
