package dev.redlock.lettuce;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The resources that all Lettuce clients of the nodes share. The most important resource
 * is a single I/O thread for all nodes. One thread writes all commands that an event
 * causes, so these commands are sent in one flush. All other resources may come from the
 * application, with its tracing and its metrics.
 */
final class NodeResources implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	// The factory of Netty is used because its threads have fast thread-locals.
	private final EventLoopGroupProvider ioThread = new DefaultEventLoopGroupProvider(1,
			(pool) -> new DefaultThreadFactory("redlock-io", true));

	private final NettyLoop loop = new NettyLoop(this.ioThread.allocate(Transports.eventLoopGroupClass()).next());

	private final ClientResources resources;

	private NodeResources(ClientResources.Builder builder, AddressResolverGroup<?> resolver) {
		builder.eventLoopGroupProvider(this.ioThread);
		// The JDK's resolver of host names would block the I/O thread, so helper threads
		// call it.
		if (resolver instanceof DefaultAddressResolverGroup) {
			builder.addressResolverGroup(new HelperThreadResolver(InetAddress::getAllByName));
		}
		this.resources = builder.build();
	}

	/**
	 * Creates resources that are independent of the application.
	 * @return the resources, to be closed after the clients
	 */
	static NodeResources create() {
		return new NodeResources(ClientResources.builder(), DefaultClientResources.DEFAULT_ADDRESS_RESOLVER_GROUP);
	}

	/**
	 * Creates resources that share everything except the I/O thread with the
	 * application's resources. The application's resources stay open when the new
	 * resources are closed.
	 * @param shared the resources of the application
	 * @return the resources, to be closed after the clients
	 */
	static NodeResources sharing(ClientResources shared) {
		// Lettuce shuts down each part that was not set explicitly on the builder, so all
		// parts are repeated here. The shared resources already publish the latencies of
		// commands.
		ClientResources.Builder builder = shared.mutate()
			.timer(shared.timer())
			.eventExecutorGroup(shared.eventExecutorGroup())
			.commandLatencyRecorder(shared.commandLatencyRecorder())
			.commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
		return new NodeResources(builder, shared.addressResolverGroup());
	}

	/**
	 * Returns the resources for a Lettuce client.
	 * @return the resources
	 */
	ClientResources clientResources() {
		return this.resources;
	}

	/**
	 * Returns the event loop on the I/O thread.
	 * @return the loop, which ends with these resources
	 */
	NettyLoop loop() {
		return this.loop;
	}

	/**
	 * Shuts down the parts that are not shared, without waiting for the end of the
	 * shutdown.
	 */
	@Override
	public void close() {
		this.resources.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		this.ioThread.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
