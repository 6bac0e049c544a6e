package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * Hands commands to a connection in the order in which they were called, and as many as
 * there are at once.
 * <p>
 * Lettuce alone does not keep that order between threads: a write from the connection's
 * own I/O thread is done at once, while one from any other thread is queued for the I/O
 * thread. A release called from the answer of another node, on the same I/O thread, could
 * so overtake the acquire that it is to undo. Here only one thread ever writes. Whoever
 * calls first wakes it, also on that very thread: it then writes when it has dealt with
 * all answers that have come, and what they cause leaves in one flush.
 */
final class OrderedDispatch {

	/**
	 * As many as one gathering write takes with some to spare, so that a flood is refused
	 * piece by piece when the connection has too much to do.
	 */
	private static final int LARGEST_BATCH = 512;

	private static final RedisException TOO_MANY = new RedisException("Request queue size exceeded");

	private final StatefulRedisConnection<String, String> connection;

	private final Executor thread;

	/**
	 * The newest command that waits; each knows the one before it.
	 */
	private final AtomicReference<@Nullable LinkCommand<?>> newest = new AtomicReference<>();

	private final Runnable drain = this::drain;

	OrderedDispatch(StatefulRedisConnection<String, String> connection, Executor thread) {
		this.connection = connection;
		this.thread = thread;
	}

	void dispatch(LinkCommand<?> command) {
		LinkCommand<?> before;
		do {
			before = this.newest.get();
			if (command.calledAfter(before) > NodeClient.LONGEST_QUEUE) {
				command.completeExceptionally(TOO_MANY);
				return;
			}
		}
		while (!this.newest.compareAndSet(before, command));
		if (before == null) {
			drainSoon();
		}
	}

	private void drainSoon() {
		try {
			this.thread.execute(this.drain);
		}
		catch (RejectedExecutionException ex) {
			// The connection is closed by now and refuses what it is given.
			drain();
		}
	}

	private void drain() {
		LinkCommand<?> last = this.newest.getAndSet(null);
		if (last == null) {
			return;
		}
		LinkCommand<?> command = last.leave();
		if (command == null) {
			write(last);
			return;
		}
		List<LinkCommand<?>> waiting = new ArrayList<>();
		waiting.add(last);
		for (; command != null; command = command.leave()) {
			waiting.add(command);
		}
		Collections.reverse(waiting);
		for (int from = 0; from < waiting.size(); from += LARGEST_BATCH) {
			write(waiting.subList(from, Math.min(from + LARGEST_BATCH, waiting.size())));
		}
	}

	private void write(LinkCommand<?> command) {
		try {
			this.connection.dispatch(command);
		}
		catch (RuntimeException ex) {
			command.completeExceptionally(ex);
		}
	}

	private void write(List<LinkCommand<?>> batch) {
		try {
			this.connection.dispatch(batch);
		}
		catch (RuntimeException ex) {
			batch.forEach((command) -> command.completeExceptionally(ex));
		}
	}

}
