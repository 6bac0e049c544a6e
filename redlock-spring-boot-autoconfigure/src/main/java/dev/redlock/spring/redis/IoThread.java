package dev.redlock.spring.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.ThreadFactoryProvider;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One I/O thread for the connections to all nodes. Where a single thread writes, whatever
 * was called before it comes to write leaves in one flush, and what the answers of
 * several nodes cause leaves together.
 */
final class IoThread implements EventLoopGroupProvider {

	// Also a thread that Netty's caches are quick on.
	private static final ThreadFactoryProvider THREADS = (pool) -> new DefaultThreadFactory("redlock-io", true);

	private final EventLoopGroupProvider groups = new DefaultEventLoopGroupProvider(1, THREADS);

	private volatile @Nullable EventLoopGroup group;

	/**
	 * The one thread that hands commands to the connections of a client: the one that
	 * also writes them, where the client has only one. Otherwise it is some other thread,
	 * always the same for one call of this method, which costs a hop and keeps the order
	 * all the same.
	 */
	static Executor of(ClientResources resources) {
		EventLoopGroup own = (resources.eventLoopGroupProvider() instanceof IoThread thread) ? thread.group : null;
		return (own != null) ? own.next() : resources.eventExecutorGroup().next();
	}

	@Override
	public <T extends EventLoopGroup> T allocate(Class<T> type) {
		T allocated = this.groups.allocate(type);
		this.group = allocated;
		return allocated;
	}

	@Override
	public int threadPoolSize() {
		return this.groups.threadPoolSize();
	}

	@Override
	public Future<Boolean> release(EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
		return this.groups.release(released, quietPeriod, timeout, unit);
	}

	@Override
	public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
		return this.groups.shutdown(quietPeriod, timeout, unit);
	}

}
