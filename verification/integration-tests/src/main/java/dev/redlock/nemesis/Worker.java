package dev.redlock.nemesis;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.nemesis.Event.Kind;
import dev.redlock.nemesis.LockDriver.Grant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread of a client process: locks, reads, thinks, writes, releases. Like most code
 * under a lock it does not ask whether the lock is still valid before it writes.
 */
final class Worker extends Thread {

	private static final Logger log = LoggerFactory.getLogger(Worker.class);

	private static final int LONGEST_PAUSE_MILLIS = 40;

	/**
	 * Work ends well within the ttl, unless something holds it up.
	 */
	private static final int WORK_SHARE_PERCENT = 40;

	/**
	 * How often a holder of a lock that is renewed looks at its lease. Its work takes
	 * twice the ttl or less.
	 */
	private static final int MOST_LOOKS = 40;

	private static final int LONGEST_BETWEEN_LOOKS_MILLIS = 200;

	/**
	 * So many of a hundred holders forget to release.
	 */
	private static final int FORGETFUL_PERCENT = 3;

	private final LockDriver driver;

	private final History history;

	private final ResourceClient resources;

	private final SplittableRandom random;

	private final int names;

	private final LockTimes times;

	/**
	 * Until when not to ask again for what was not released: in a lock that lets the same
	 * thread enter twice that would be no overlap.
	 */
	private final Map<String, Long> forgotten = new HashMap<>();

	private int attempts;

	private volatile boolean finishing;

	Worker(String name, LockDriver driver, History history, ResourceClient resources, SplittableRandom random,
			int names) {
		super(name);
		this.driver = driver;
		this.history = history;
		this.resources = resources;
		this.random = random;
		this.names = names;
		this.times = LockTimes.of(driver.getClass());
		setDaemon(true);
	}

	static String lockName(int number) {
		return "lock" + number;
	}

	void finish() {
		this.finishing = true;
	}

	@Override
	public void run() {
		try (this.resources) {
			while (!this.finishing) {
				Duration wait = Duration.ofMillis(this.random.nextBoolean() ? 0 : this.random.nextInt(300));
				String name = lockName(this.random.nextInt(this.names));
				if (isForgotten(name) || !round(name, randomTtl(), wait, true)) {
					pause(this.random.nextInt(LONGEST_PAUSE_MILLIS));
				}
			}
			// Whatever this leaves behind stays for so long that it is seen.
			for (int i = 0; i < this.names; i++) {
				round(lockName(i), this.times.maxTtl(), this.times.maxTtl(), false);
			}
		}
		catch (IOException | InterruptedException ex) {
			log.error("{} has ended", getName(), ex);
		}
	}

	private boolean round(String name, Duration ttl, Duration wait, boolean mayForget)
			throws IOException, InterruptedException {
		String attempt = getName() + "." + (++this.attempts);
		this.history.note(Kind.TRY, name, attempt, ttl.toNanos(), 0);
		Optional<Grant> grant = acquire(name, ttl, wait);
		if (grant.isEmpty()) {
			this.history.note(Kind.FAILED, name, attempt);
			return false;
		}
		hold(name, attempt, grant.get(), ttl);
		if (!mayForget || this.driver.renews() || this.random.nextInt(100) >= FORGETFUL_PERCENT) {
			this.history.note(Kind.RELEASE, name, attempt);
			this.history.note(Kind.RELEASED, name, attempt, release(grant.get()), 0);
		}
		else {
			this.forgotten.put(name, grant.get().validUntilNanos());
		}
		return true;
	}

	private boolean isForgotten(String name) {
		Long until = this.forgotten.get(name);
		return until != null && SteppedClock.machineNanos() - until < 0;
	}

	private void hold(String name, String attempt, Grant grant, Duration ttl) throws IOException {
		long fence = grant.fence();
		this.history.note(Kind.WON, name, attempt, fence, grant.validUntilNanos());
		grant.onLoss(() -> this.history.note(Kind.LOST, name, attempt));
		this.history.note(Kind.ADD, name, attempt);
		long checked = (fence > 0) ? this.resources.claim(name, fence) : Resources.REFUSED;
		long unchecked = this.resources.read(name);
		work(name, attempt, grant, ttl);
		this.history.note(Kind.UNCHECKED, name, attempt, unchecked, this.resources.write(name, unchecked));
		long written = (checked != Resources.REFUSED) ? this.resources.writeChecked(name, fence, checked)
				: Resources.REFUSED;
		if (written != Resources.REFUSED) {
			this.history.note(Kind.CHECKED, name, attempt, checked, written);
		}
		else if (fence > 0) {
			this.history.note(Kind.REFUSED, name, attempt, fence, 0);
		}
	}

	private void work(String name, String attempt, Grant grant, Duration ttl) {
		if (!this.driver.renews()) {
			pause(this.random
				.nextLong(Math.min(ttl.toMillis() * WORK_SHARE_PERCENT / 100, this.times.longestWork().toMillis())));
			return;
		}
		for (int i = this.random.nextInt(MOST_LOOKS); i > 0; i--) {
			pause(this.random.nextInt(LONGEST_BETWEEN_LOOKS_MILLIS));
			this.history.note(Kind.RENEWED, name, attempt, 0, grant.validUntilNanos());
		}
	}

	/**
	 * Libraries also throw when servers fail. For the suite that is no lock.
	 */
	private Optional<Grant> acquire(String name, Duration ttl, Duration wait) throws InterruptedException {
		try {
			return this.driver.acquire(name, ttl, wait);
		}
		catch (RuntimeException ex) {
			log.debug("{} got no answer", getName(), ex);
			return Optional.empty();
		}
	}

	private int release(Grant grant) {
		try {
			return grant.release();
		}
		catch (RuntimeException ex) {
			log.debug("{} could not release", getName(), ex);
			return -1;
		}
	}

	private Duration randomTtl() {
		return Duration
			.ofMillis(this.random.nextLong(this.times.leastTtl().toMillis(), this.times.mostTtl().toMillis() + 1));
	}

	private static void pause(long millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
