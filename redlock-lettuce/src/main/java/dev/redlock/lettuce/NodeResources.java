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
 * The resources that all Lettuce clients of the nodes share. All nodes use a single I/O
 * thread, so that the commands of one event are sent in one flush. All other resources
 * may come from the application, with its tracing and its metrics.
 */
final class NodeResources implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	// Netty's thread factory is used because its threads have fast thread-locals.
	private final EventLoopGroupProvider ioThread = new DefaultEventLoopGroupProvider(1,
			(pool) -> new DefaultThreadFactory("redlock-io", true));

	private final NettyLoop loop = new NettyLoop(this.ioThread.allocate(Transports.eventLoopGroupClass()).next());

	private final ClientResources resources;

	private NodeResources(ClientResources.Builder builder, AddressResolverGroup<?> resolver) {
		builder.eventLoopGroupProvider(this.ioThread);
		// The JDK's resolver of host names would block the I/O thread, so helper threads
		// resolve host names.
		if (resolver instanceof DefaultAddressResolverGroup) {
			builder.addressResolverGroup(new HelperThreadResolver(InetAddress::getAllByName));
		}
		this.resources = builder.build();
	}

	/**
	 * Creates Lettuce resources that do not depend on the application.
	 * @return the resources, to be closed after the Lettuce clients
	 */
	static NodeResources create() {
		return new NodeResources(ClientResources.builder(), DefaultClientResources.DEFAULT_ADDRESS_RESOLVER_GROUP);
	}

	/**
	 * Creates Lettuce resources that use everything except the I/O thread from the
	 * application. The application must close its own resources.
	 * @param shared the Lettuce resources of the application
	 * @return the resources, to be closed after the Lettuce clients
	 */
	static NodeResources sharing(ClientResources shared) {
		// Lettuce shuts down each resource that is not set on the builder, so all
		// resources of the application are set here. The application's resources already
		// publish command latencies.
		ClientResources.Builder builder = shared.mutate()
			.timer(shared.timer())
			.eventExecutorGroup(shared.eventExecutorGroup())
			.commandLatencyRecorder(shared.commandLatencyRecorder())
			.commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
		return new NodeResources(builder, shared.addressResolverGroup());
	}

	ClientResources clientResources() {
		return this.resources;
	}

	/**
	 * Returns the event loop that runs on the I/O thread.
	 * @return the event loop, which ends when these resources are closed
	 */
	NettyLoop loop() {
		return this.loop;
	}

	/**
	 * Shuts down the resources that the application does not share. Does not wait for the
	 * end of the shutdown.
	 */
	@Override
	public void close() {
		this.resources.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		this.ioThread.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
