package dev.redlock.sim;

import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;

/**
 * What one client hears of the releases of a key on one server, as long as its connection
 * holds: all of them or most of them, some late.
 */
final class SimWatch implements Watch {

	private final World world;

	private final SimProcess client;

	private final SimLink link;

	private final String key;

	private final ReleaseListener listener;

	private Watch atServer = Watch.DEAF;

	private boolean listening;

	private boolean closed;

	SimWatch(World world, SimProcess client, SimLink link, String key, ReleaseListener listener) {
		this.world = world;
		this.client = client;
		this.link = link;
		this.key = key;
		this.listener = listener;
		link.opened(this);
		subscribe();
	}

	@Override
	public boolean isListening() {
		return this.listening && !this.closed;
	}

	@Override
	public void close() {
		this.closed = true;
		this.link.closed(this);
		this.atServer.close();
	}

	/**
	 * Subscribes, once more after the connection was lost.
	 */
	void subscribe() {
		this.world.after(this.world.micros(50, 3_000), () -> {
			if (!this.closed && this.atServer == Watch.DEAF && this.link.isSubscribable() && this.link.server.isUp()) {
				this.atServer = this.link.server.data.watch(this.key, new Subscription());
			}
		});
	}

	/**
	 * Hears nothing from now on.
	 */
	void lost() {
		this.atServer.close();
		this.atServer = Watch.DEAF;
		this.listening = this.listening && this.link.hidesLosses();
	}

	private final class Subscription implements ReleaseListener {

		@Override
		public void listening() {
			later(() -> {
				SimWatch.this.listening = true;
				SimWatch.this.listener.listening();
			});
		}

		@Override
		public void released(String release, int listeners) {
			if (SimWatch.this.link.hearsNoReleases()) {
				return;
			}
			if (!SimWatch.this.world.chance(SimWatch.this.link.lostAnnouncements())) {
				later(() -> SimWatch.this.listener.released(release, listeners));
			}
		}

		private void later(Runnable news) {
			SimWatch.this.world.after(SimWatch.this.world.micros(50, 1_500), () -> SimWatch.this.client.run(() -> {
				if (!SimWatch.this.closed && SimWatch.this.atServer != Watch.DEAF) {
					news.run();
				}
			}));
		}

	}

}
