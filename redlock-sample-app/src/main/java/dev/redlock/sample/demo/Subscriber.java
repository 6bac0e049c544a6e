package dev.redlock.sample.demo;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One open page. A slow page gets fewer frames, and still gets all entries of the
 * journal.
 */
final class Subscriber {

	private static final Logger logger = LoggerFactory.getLogger(Subscriber.class);

	private static final long NO_TIMEOUT = 0L;

	private static final long RECONNECT_MILLIS = 1_000;

	private final SseEmitter emitter = new SseEmitter(NO_TIMEOUT);

	private final Journal journal;

	private final AtomicBoolean sending = new AtomicBoolean();

	private volatile Position read;

	Subscriber(Journal journal, Position read) {
		this.journal = journal;
		this.read = read;
	}

	SseEmitter emitter() {
		return this.emitter;
	}

	void send(long nowMicros, Frame.State state) {
		if (!this.sending.compareAndSet(false, true)) {
			return;
		}
		try {
			Journal.Pages pages = this.journal.since(this.read);
			Frame frame = new Frame(pages.last().chapter(), nowMicros, state, pages.turns(), pages.notes());
			this.emitter.send(SseEmitter.event()
				.id(pages.last().toString())
				.reconnectTime(RECONNECT_MILLIS)
				.data(frame, MediaType.APPLICATION_JSON));
			this.read = pages.last();
		}
		catch (IOException | IllegalStateException ex) {
			// The page was closed. The server tells the emitter.
			logger.debug("A page was closed", ex);
		}
		finally {
			this.sending.set(false);
		}
	}

}
