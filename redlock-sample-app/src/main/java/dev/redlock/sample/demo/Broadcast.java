package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends a frame to each open page, several times a second. It ends before the web server,
 * which would otherwise wait for the requests of these pages.
 */
@Component
@FirstJvm
final class Broadcast implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Broadcast.class);

	private static final Duration PERIOD = Duration.ofMillis(150);

	private static final int MOST_PAGES = 16;

	private final Observer observer;

	private final Journal journal;

	private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();

	private final ExecutorService senders = Executors.newCachedThreadPool(daemons("page-sender-"));

	private volatile @Nullable ScheduledExecutorService clock;

	Broadcast(Observer observer, Journal journal) {
		this.observer = observer;
		this.journal = journal;
	}

	/**
	 * Adds a page.
	 * @param read the position up to which it has read the journal
	 */
	SseEmitter subscribe(Position read) {
		if (!isRunning() || this.subscribers.size() >= MOST_PAGES) {
			throw new IllegalStateException(
					"At most " + MOST_PAGES + " pages can be open at once. Close one of the others.");
		}
		Subscriber subscriber = new Subscriber(this.journal, read);
		subscriber.emitter().onCompletion(() -> this.subscribers.remove(subscriber));
		subscriber.emitter().onError((ex) -> this.subscribers.remove(subscriber));
		this.subscribers.add(subscriber);
		return subscriber.emitter();
	}

	@Override
	public void start() {
		ScheduledExecutorService next = Executors.newSingleThreadScheduledExecutor(daemons("page-clock-"));
		next.scheduleWithFixedDelay(this::tick, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
		this.clock = next;
	}

	@Override
	public void stop() {
		ScheduledExecutorService last = this.clock;
		if (last != null) {
			this.clock = null;
			last.shutdownNow();
		}
		this.subscribers.forEach((subscriber) -> subscriber.emitter().complete());
	}

	@Override
	public boolean isRunning() {
		return this.clock != null;
	}

	private void tick() {
		if (this.subscribers.isEmpty()) {
			return;
		}
		try {
			long now = Micros.now();
			Frame.State state = this.observer.look(now);
			this.subscribers.forEach((subscriber) -> this.senders.execute(() -> subscriber.send(now, state)));
		}
		catch (RuntimeException ex) {
			// The next frame may succeed, but a task that throws is not run again.
			logger.warn("No frame could be sent to the page", ex);
		}
	}

	private static CustomizableThreadFactory daemons(String prefix) {
		CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
		threads.setDaemon(true);
		return threads;
	}

}
