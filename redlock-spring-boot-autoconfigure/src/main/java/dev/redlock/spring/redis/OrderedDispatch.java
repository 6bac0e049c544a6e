package dev.redlock.spring.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/**
 * Hands commands to a connection in the order in which they were given.
 * <p>
 * Lettuce alone does not keep that order between threads: a write from the connection's
 * own I/O thread is done at once, while one from any other thread is queued for the I/O
 * thread. A release called from the answer of another node, on the same I/O thread, could
 * so overtake the acquire that it is to undo. Here commands pass one queue, and the I/O
 * thread never writes itself, so that each write joins the end of the queue.
 * <p>
 * The queue is as long as the number of threads that send at this moment; what waits for
 * the server is bounded by the connection's own queue.
 */
final class OrderedDispatch {

	private final StatefulRedisConnection<String, String> connection;

	private final Executor executor;

	private final Queue<RedisCommand<String, String, ?>> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private volatile @Nullable Thread ioThread;

	OrderedDispatch(StatefulRedisConnection<String, String> connection, Executor executor) {
		this.connection = connection;
		this.executor = executor;
	}

	void dispatch(RedisCommand<String, String, ?> command) {
		this.queue.add(command);
		if (this.pending.getAndIncrement() > 0) {
			return;
		}
		if (Thread.currentThread() != this.ioThread) {
			drain();
			return;
		}
		try {
			this.executor.execute(this::drain);
		}
		catch (RejectedExecutionException ex) {
			// Only while everything is being closed, where order no longer matters.
			drain();
		}
	}

	/**
	 * Called by a command that was answered, on the I/O thread.
	 */
	void onIoThread() {
		if (this.ioThread != Thread.currentThread()) {
			this.ioThread = Thread.currentThread();
		}
	}

	private void drain() {
		do {
			RedisCommand<String, String, ?> command = this.queue.remove();
			try {
				this.connection.dispatch(command);
			}
			catch (RuntimeException ex) {
				command.completeExceptionally(ex);
			}
		}
		while (this.pending.decrementAndGet() > 0);
	}

}
