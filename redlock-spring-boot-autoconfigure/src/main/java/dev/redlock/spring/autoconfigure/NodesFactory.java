package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

import dev.redlock.RedlockSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeListener;
import dev.redlock.spring.redis.LockNodes;
import dev.redlock.spring.redis.NodeResources;
import dev.redlock.spring.redis.NodeSettings;
import dev.redlock.spring.redis.SystemTicker;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Makes the nodes that the configuration asks for.
 */
final class NodesFactory {

	private static final Logger log = LoggerFactory.getLogger(NodesFactory.class);

	/**
	 * How long start-up waits to learn what the servers are. A server that is merely down
	 * is known at once.
	 */
	private static final Duration FIRST_LOOK = Duration.ofSeconds(5);

	private final RedlockProperties properties;

	private final RedlockSettings settings;

	private final ClientFactory clients;

	private final ListableBeanFactory beans;

	private final ObjectProvider<ClientResources> clientResources;

	NodesFactory(RedlockProperties properties, RedlockSettings settings, ClientFactory clients,
			ListableBeanFactory beans, ObjectProvider<ClientResources> clientResources) {
		this.properties = properties;
		this.settings = settings;
		this.clients = clients;
		this.beans = beans;
		this.clientResources = clientResources;
	}

	LockNodes create(@Nullable RedLockConnectionDetails connectionDetails, NodeListener listener,
			Executor listenerThread) {
		Map<String, RedlockInstance> instances = Instances.of(this.properties, connectionDetails);
		NodeSettings nodeSettings = nodeSettings(connectionDetails);
		ClientResources shared = this.clientResources.getIfUnique();
		NodeResources resources = (shared != null) ? NodeResources.sharing(shared) : NodeResources.create();
		LockNodes nodes;
		try {
			LockNodes.Builder builder = LockNodes.with(nodeSettings, resources.loop(), new SystemTicker())
				.listener(listener, listenerThread)
				.afterClose(resources::close);
			addAll(builder, instances, resources.clientResources());
			nodes = builder.start();
		}
		catch (RuntimeException ex) {
			resources.close();
			throw ex;
		}
		try {
			checkServers(nodes);
		}
		catch (RuntimeException ex) {
			nodes.close();
			throw ex;
		}
		warnOfNumber(nodes.list().size());
		return nodes;
	}

	private NodeSettings nodeSettings(@Nullable RedLockConnectionDetails details) {
		Duration connectTimeout = this.properties.getConnectTimeout();
		if (connectTimeout.isNegative() || connectTimeout.isZero()) {
			throw new InvalidRedlockConfigurationException("redlock.connect-timeout", "it must be more than zero.",
					"Remove it, or set it to something like 2s.");
		}
		boolean throwAway = details != null && details.isThrowAway();
		boolean fresh = details != null && details.isFresh();
		boolean restartGuard = this.properties.getRestartGuard().isEnabled() && !throwAway;
		return new NodeSettings(this.settings.keyPrefix(), this.settings.maxTtl(), this.settings.clockDriftFactor(),
				restartGuard, fresh, this.settings.nodeTimeoutFor(this.settings.maxTtl()), connectTimeout);
	}

	private void addAll(LockNodes.Builder builder, Map<String, RedlockInstance> instances, ClientResources resources) {
		if (instances.isEmpty()) {
			addOnlyConnectionFactory(builder);
		}
		instances.forEach((name, instance) -> add(builder, name, instance, resources));
	}

	private void add(LockNodes.Builder builder, String name, RedlockInstance instance, ClientResources resources) {
		String bean = instance.connectionFactory();
		if (bean != null) {
			builder.connectionFactory(name, connectionFactory(name, bean));
		}
		else {
			builder.lettuce(name, this.clients.create(name, instance, this.properties.getConnectTimeout(), resources));
		}
	}

	private RedisConnectionFactory connectionFactory(String instance, String bean) {
		try {
			return this.beans.getBean(bean, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			throw new InvalidRedlockConfigurationException("redlock.instances." + instance + ".connection-factory",
					"there is no RedisConnectionFactory bean named '" + bean + "'.", "Name one of "
							+ String.join(", ", connectionFactories()) + ", define the bean, or use host or url.",
					ex);
		}
	}

	private void addOnlyConnectionFactory(LockNodes.Builder builder) {
		String[] names = connectionFactories();
		if (names.length != 1) {
			throw new NoRedlockInstancesException(names.length);
		}
		log.warn("There are no redlock.instances, so locks use the RedisConnectionFactory bean '{}', as a single "
				+ "instance. When that server is down there are no locks, and a failover to a replica can lose "
				+ "one that is held. It is also slower than an instance of the lock's own.", names[0]);
		builder.connectionFactory(names[0], this.beans.getBean(names[0], RedisConnectionFactory.class));
	}

	private String[] connectionFactories() {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, RedisConnectionFactory.class, true,
				false);
	}

	private static void checkServers(LockNodes nodes) {
		if (!nodes.awaitFirstVerdicts(FIRST_LOOK)) {
			log.debug("Not all servers answered within {}; the nodes go on in the background", FIRST_LOOK);
		}
		List<String> names = nodes.list().stream().map(LockNode::name).toList();
		nodes.duplicates().forEach((name, other) -> {
			// Whoever answered first has the vote; the message does not depend on that.
			boolean inOrder = names.indexOf(other) < names.indexOf(name);
			throw Instances.sameServer(inOrder ? name : other, inOrder ? other : name, "both have the same run_id");
		});
	}

	private static void warnOfNumber(int count) {
		if (count == 1) {
			log.warn("Locks rest on one Redis instance: when it is down there are no locks. Three instances "
					+ "tolerate the loss of one, five of two.");
		}
		else if (count % 2 == 0) {
			log.warn("Locks rest on {} Redis instances, an even number: they tolerate the loss of {}, just as {} "
					+ "would, and one more must answer for each lock.", count, (count - 1) / 2, count - 1);
		}
	}

}
