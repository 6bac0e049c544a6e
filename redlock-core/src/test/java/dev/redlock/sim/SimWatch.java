package dev.redlock.sim;

import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;

/**
 * What one queue of a client hears of the releases of a key on one server, as long as the
 * connection holds: all of them or most of them, some late.
 */
final class SimWatch implements Watch {

	private final World world;

	private final SimProcess client;

	private final SimLink link;

	private final String key;

	private final ReleaseListener listener;

	private boolean subscribed;

	private boolean listening;

	private boolean closed;

	SimWatch(World world, SimProcess client, SimLink link, String key, ReleaseListener listener) {
		this.world = world;
		this.client = client;
		this.link = link;
		this.key = key;
		this.listener = listener;
		link.subscriptions.opened(this);
		subscribe();
	}

	String key() {
		return this.key;
	}

	boolean isSubscribedTo(String other) {
		return this.subscribed && this.key.equals(other);
	}

	@Override
	public boolean isListening() {
		return this.listening && !this.closed;
	}

	@Override
	public void close() {
		this.closed = true;
		this.link.subscriptions.closed(this);
	}

	/**
	 * Subscribes, once more after the connection was lost.
	 */
	void subscribe() {
		this.world.after(this.world.micros(50, 3_000), () -> {
			if (!this.closed && !this.subscribed && this.link.isSubscribable() && this.link.server.isUp()) {
				this.subscribed = true;
				this.link.subscriptions.subscribed(this);
			}
		});
	}

	/**
	 * Hears nothing from now on.
	 */
	void lost() {
		this.subscribed = false;
		this.listening = this.listening && this.link.hidesLosses();
	}

	/**
	 * The server announces releases from now on.
	 */
	void listening() {
		later(() -> {
			this.listening = true;
			this.listener.listening();
		});
	}

	void released(String release, int listeners) {
		if (!this.link.hearsNoReleases() && !this.world.chance(this.link.lostAnnouncements())) {
			later(() -> this.listener.released(release, listeners));
		}
	}

	private void later(Runnable news) {
		this.world.after(this.world.micros(50, 1_500), () -> this.client.run(() -> {
			if (!this.closed && this.subscribed) {
				news.run();
			}
		}));
	}

}
