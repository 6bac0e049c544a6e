package dev.redlock.sim;

import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Watch;

/**
 * What one client hears of the releases of a key on one server: some of them, some late.
 */
final class SimWatch implements Watch {

	private static final double LOST = 0.1;

	private final World world;

	private final SimProcess client;

	private final ReleaseListener listener;

	private Watch atServer = Watch.DEAF;

	private boolean listening;

	private boolean closed;

	SimWatch(World world, SimProcess client, SimServer server, String key, ReleaseListener listener) {
		this.world = world;
		this.client = client;
		this.listener = listener;
		world.after(world.micros(50, 3_000), () -> subscribe(server, key));
	}

	@Override
	public boolean isListening() {
		return this.listening && !this.closed;
	}

	@Override
	public void close() {
		this.closed = true;
		this.atServer.close();
	}

	private void subscribe(SimServer server, String key) {
		if (this.closed || !server.isUp()) {
			return;
		}
		this.atServer = server.data.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				later(() -> {
					SimWatch.this.listening = true;
					SimWatch.this.listener.listening();
				});
			}

			@Override
			public void released(String release, int listeners) {
				if (!SimWatch.this.world.chance(LOST)) {
					later(() -> SimWatch.this.listener.released(release, listeners));
				}
			}

		});
	}

	private void later(Runnable news) {
		this.world.after(this.world.micros(50, 1_500), () -> this.client.run(() -> {
			if (!this.closed) {
				news.run();
			}
		}));
	}

}
