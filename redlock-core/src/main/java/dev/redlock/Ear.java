package dev.redlock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * Listens for releases of one key on all nodes, and makes one piece of news of what the
 * nodes announce of the same release: when a majority has, or, where fewer do, a moment
 * after the first.
 */
final class Ear {

	private static final int REMEMBERED = 8;

	private final Line line;

	private final Scheduler scheduler;

	private final Pace pace;

	private final int majority;

	private final List<Watch> watches = new ArrayList<>();

	private final ReentrantLock lock = new ReentrantLock();

	/** The last releases that were passed on; what comes of them later is no news. */
	private final Deque<String> passedOn = new ArrayDeque<>();

	private final boolean[] announced;

	private @Nullable String release;

	private int announcements;

	private int listeners;

	private Scheduler.@Nullable Timeout patience;

	private boolean closed;

	Ear(Line line, List<LockNode> nodes, Scheduler scheduler, Pace pace) {
		this.line = line;
		this.scheduler = scheduler;
		this.pace = pace;
		this.majority = new Quorum(nodes.size()).majority();
		this.announced = new boolean[nodes.size()];
	}

	/**
	 * Starts to listen. Apart from the constructor, since nodes may answer at once.
	 */
	void open(List<LockNode> nodes, String key) {
		for (int i = 0; i < nodes.size(); i++) {
			Watch watch = nodes.get(i).watch(key, new NodeEar(i));
			this.lock.lock();
			try {
				this.watches.add(watch);
			}
			finally {
				this.lock.unlock();
			}
			if (this.closed) {
				watch.close();
			}
		}
	}

	/**
	 * Whether a release that is announced will be heard: a majority is listened to.
	 */
	boolean hears() {
		this.lock.lock();
		try {
			return this.watches.stream().filter(Watch::isListening).count() >= this.majority;
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		List<Watch> all;
		this.lock.lock();
		try {
			this.closed = true;
			all = List.copyOf(this.watches);
			forget();
		}
		finally {
			this.lock.unlock();
		}
		all.forEach(Watch::close);
	}

	private void announced(int node, String name, int told) {
		int news;
		this.lock.lock();
		try {
			if (this.closed || this.passedOn.contains(name)) {
				return;
			}
			if (!name.equals(this.release)) {
				begin(name);
			}
			if (!this.announced[node]) {
				this.announced[node] = true;
				this.announcements++;
			}
			this.listeners = Math.max(this.listeners, told);
			if (this.announcements < this.majority) {
				return;
			}
			news = passOn(name);
		}
		finally {
			this.lock.unlock();
		}
		this.line.released(news);
	}

	private void runOutOfPatience(String name) {
		int news;
		this.lock.lock();
		try {
			if (this.closed || !name.equals(this.release)) {
				return;
			}
			news = passOn(name);
		}
		finally {
			this.lock.unlock();
		}
		this.line.released(news);
	}

	private void begin(String name) {
		forget();
		this.release = name;
		if (this.majority > 1) {
			this.patience = this.scheduler.schedule(Duration.ofNanos(this.pace.graceNanos()),
					() -> runOutOfPatience(name));
		}
	}

	private int passOn(String name) {
		int told = this.listeners;
		forget();
		this.passedOn.addLast(name);
		if (this.passedOn.size() > REMEMBERED) {
			this.passedOn.removeFirst();
		}
		return told;
	}

	private void forget() {
		this.release = null;
		this.announcements = 0;
		this.listeners = 0;
		Arrays.fill(this.announced, false);
		if (this.patience != null) {
			this.patience.cancel();
			this.patience = null;
		}
	}

	private final class NodeEar implements ReleaseListener {

		private final int node;

		private NodeEar(int node) {
			this.node = node;
		}

		@Override
		public void listening() {
			if (hears()) {
				Ear.this.line.listening();
			}
		}

		@Override
		public void released(String release, int listeners) {
			announced(this.node, release, listeners);
		}

	}

}
