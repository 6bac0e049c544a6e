package dev.redlock.lettuce.internal.connection;

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
 * The resources that all Lettuce clients of the nodes share. All nodes share one I/O
 * thread, which also runs the lock, so several commands are flushed at once.
 */
public final class NodeResources implements AutoCloseable {

	private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

	// Netty's thread factory is used because its threads have fast thread-locals.
	private final EventLoopGroupProvider ioThread = new DefaultEventLoopGroupProvider(1,
			(pool) -> new DefaultThreadFactory("redlock-io", true));

	private final NettyLoop loop = new NettyLoop(this.ioThread.allocate(Transports.eventLoopGroupClass()).next());

	private final ClientResources resources;

	private NodeResources(ClientResources.Builder builder, AddressResolverGroup<?> resolver) {
		builder.eventLoopGroupProvider(this.ioThread);
		// The JDK's resolver of host names would block the I/O thread.
		if (resolver instanceof DefaultAddressResolverGroup) {
			builder.addressResolverGroup(new HelperThreadResolver(InetAddress::getAllByName));
		}
		this.resources = builder.build();
	}

	public static NodeResources create() {
		return new NodeResources(ClientResources.builder(), DefaultClientResources.DEFAULT_ADDRESS_RESOLVER_GROUP);
	}

	/**
	 * Uses all Lettuce resources of the application except the I/O thread, the publishing
	 * of latencies, and the resolver of host names if it is the default one.
	 */
	public static NodeResources sharing(ClientResources shared) {
		// Lettuce shuts down each resource that is not set on the builder, so all
		// resources of the application are set here. The application's own resources
		// publish command latencies, so these resources do not.
		ClientResources.Builder builder = shared.mutate()
			.timer(shared.timer())
			.eventExecutorGroup(shared.eventExecutorGroup())
			.commandLatencyRecorder(shared.commandLatencyRecorder())
			.commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
		return new NodeResources(builder, shared.addressResolverGroup());
	}

	public ClientResources clientResources() {
		return this.resources;
	}

	public NettyLoop loop() {
		return this.loop;
	}

	@Override
	public void close() {
		this.resources.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		this.ioThread.shutdown(0, LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
	}

}
