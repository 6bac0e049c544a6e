package dev.redlock.lettuce.internal.connection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

import io.lettuce.core.resource.DnsResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;

/**
 * Resolves host names on helper threads, because the JDK may block for many seconds and
 * the event loop must not block.
 */
final class HelperThreadResolver extends AddressResolverGroup<InetSocketAddress> {

	private static final int MOST_THREADS = 4;

	private final DnsResolver lookup;

	private final Executor executor = HelperThreads.pool("redlock-names", MOST_THREADS);

	HelperThreadResolver(DnsResolver lookup) {
		this.lookup = lookup;
	}

	@Override
	protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
		return new InetNameResolver(executor) {

			@Override
			protected void doResolve(String host, Promise<InetAddress> address) {
				lookUp(host, address, (addresses) -> addresses[0]);
			}

			@Override
			protected void doResolveAll(String host, Promise<List<InetAddress>> addresses) {
				lookUp(host, addresses, List::of);
			}

		}.asAddressResolver();
	}

	private <T> void lookUp(String host, Promise<T> promise, Function<InetAddress[], T> result) {
		try {
			this.executor.execute(() -> {
				try {
					promise.setSuccess(result.apply(this.lookup.resolve(host)));
				}
				catch (UnknownHostException | RuntimeException ex) {
					promise.setFailure(ex);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			promise.setFailure(ex);
		}
	}

}
