package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.autoconfigure.internal.settings.InvalidRedlockConfigurationException;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockProperties;
import io.lettuce.core.resource.ClientResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Creates the Redis nodes that store locks, unless the application defines its own nodes.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean({ LockNodes.class, Redlock.class })
class RedlockNodesConfiguration {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final Duration LONGEST_STARTUP_WAIT = Duration.ofSeconds(5);

	private static final Duration LONGEST_CONNECT_TIMEOUT = Duration.ofMinutes(10);

	private final RedlockProperties properties;

	private final RedlockSettings settings;

	private final ListableBeanFactory beans;

	private final ObjectProvider<ClientResources> clientResources;

	RedlockNodesConfiguration(RedlockProperties properties, RedlockSettings settings, ListableBeanFactory beans,
			ObjectProvider<ClientResources> clientResources) {
		this.properties = properties;
		this.settings = settings;
		this.beans = beans;
		this.clientResources = clientResources;
	}

	@Bean
	LockNodes redlockNodes(ObjectProvider<ClientFactory.Tuning> tuning,
			ObjectProvider<RedlockClientCustomizer> customizers,
			ObjectProvider<RedlockConnectionDetails> connectionDetails, ObjectProvider<SslBundles> sslBundles,
			RedlockListeners listeners) {
		if (!this.properties.enabled()) {
			// With redlock.enabled=false, a node in memory replaces the Redis servers.
			return LockNodes.of(List.of(new InMemoryNode("without-locks", Ticker.SYSTEM)));
		}
		checkConnectTimeout(this.properties.connectTimeout());
		return create(connectionDetails.orderedStream().toList(), sslBundles,
				new ClientFactory(tuning, customizers, this.properties.connectTimeout()), listeners);
	}

	static void startAndCheck(LockNodes nodes) {
		nodes.start();
		try {
			checkServers(nodes);
		}
		catch (RuntimeException ex) {
			nodes.stop();
			throw ex;
		}
	}

	private LockNodes create(List<RedlockConnectionDetails> details, ObjectProvider<SslBundles> sslBundles,
			ClientFactory clients, RedlockListeners listeners) {
		boolean configured = details.isEmpty();
		boolean throwAway = !configured && details.stream().allMatch(RedlockConnectionDetails::isThrowAway);
		LockNodes.Builder builder = LockNodes.with(this.settings)
			.listener(listeners::nodeChanged, listeners.queue())
			.sharing(this.clientResources.getIfUnique())
			.restartGuard(this.properties.restartGuard().enabled())
			.allowEviction(this.properties.allowEviction())
			.throwAway(throwAway)
			.fresh(!configured && details.stream().allMatch(RedlockConnectionDetails::isFresh))
			.connectTimeout(this.properties.connectTimeout());
		setRetention(builder);
		Map<String, Function<ClientResources, LettuceConnectionFactory>> servers = new LinkedHashMap<>();
		if (configured) {
			addConfigured(servers, builder, new ConfiguredInstances(this.properties, sslBundles), clients);
		}
		else {
			warnOfIgnoredProperties(throwAway);
			nodes(details)
				.forEach((name, node) -> servers.put(name, (resources) -> clients.create(name, node, null, resources)));
		}
		warnOfNumber(servers.size());
		servers.forEach(builder::lettuce);
		return builder.build();
	}

	private static void checkConnectTimeout(Duration connectTimeout) {
		if (connectTimeout.isNegative() || connectTimeout.isZero()
				|| connectTimeout.compareTo(LONGEST_CONNECT_TIMEOUT) > 0) {
			throw new InvalidRedlockConfigurationException(
					"redlock.connect-timeout", "the timeout must be more than zero and at most "
							+ LONGEST_CONNECT_TIMEOUT.toMinutes() + " minutes.",
					"Remove the property, or set a timeout such as 2s.");
		}
	}

	private void setRetention(LockNodes.Builder builder) {
		try {
			builder.retention(this.properties.fencing().retention());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedlockConfigurationException("redlock.fencing.retention", String.valueOf(ex.getMessage()),
					"Remove the property to get the default.");
		}
	}

	private void addConfigured(Map<String, Function<ClientResources, LettuceConnectionFactory>> servers,
			LockNodes.Builder builder, ConfiguredInstances configured, ClientFactory clients) {
		// No embedded servers were started, so redlock-spring-boot-test is missing on the
		// classpath.
		if (this.beans.getBean(Environment.class).getProperty("redlock.embedded.enabled", boolean.class, false)) {
			throw InvalidRedlockConfigurationException.noEmbeddedServers();
		}
		if (configured.all().isEmpty()) {
			String bean = onlyConnectionFactory();
			servers.put(bean, (resources) -> clients.createLike(bean, connectionFactory(bean, bean),
					"redlock.instances", bean, resources));
		}
		configured.all().forEach((name, instance) -> {
			if (instance.keepsAcknowledgedWrites()) {
				builder.keepsAcknowledgedWrites(name);
			}
			RedlockConnectionDetails.Node node = configured.nodes().get(name);
			String bean = String.valueOf(instance.connectionFactory());
			servers.put(name,
					(node != null) ? (resources) -> clients.create(name, node, instance.clientName(), resources)
							: (resources) -> clients.createLike(name, connectionFactory(name, bean),
									"redlock.instances." + name + ".connection-factory", bean, resources));
		});
	}

	private void warnOfIgnoredProperties(boolean throwAway) {
		if (!throwAway && (this.properties.defaults().areSet() || !this.properties.instances().isEmpty())) {
			logger.warn("RedlockConnectionDetails beans name the Redis servers, so redlock.instances and "
					+ "redlock.defaults are ignored. Remove these properties, and put users, passwords and "
					+ "SSL bundles into the beans.");
		}
	}

	private static Map<String, RedlockConnectionDetails.Node> nodes(List<RedlockConnectionDetails> details) {
		Map<String, RedlockConnectionDetails.Node> nodes = new LinkedHashMap<>();
		details.forEach((part) -> part.getNodes().forEach((name, node) -> {
			RedlockConnectionDetails.Node other = nodes.putIfAbsent(name, node);
			if (other != null) {
				throw new InvalidRedlockConfigurationException("redlock.instances." + name,
						"two connection details have a node of this name: " + other + " and " + node + ".",
						"Give each node a name of its own. In Docker Compose, the label dev.redlock.node names the "
								+ "node.");
			}
		}));
		return nodes;
	}

	private RedisConnectionFactory connectionFactory(String instance, String bean) {
		try {
			return this.beans.getBean(bean, RedisConnectionFactory.class);
		}
		catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException ex) {
			String[] names = connectionFactories();
			throw new InvalidRedlockConfigurationException("redlock.instances." + instance + ".connection-factory",
					"there is no RedisConnectionFactory bean named '" + bean + "'.",
					((names.length > 0) ? "Name one of " + String.join(", ", names) + ", define" : "Define")
							+ " the bean, or use host or url.",
					ex);
		}
	}

	private String onlyConnectionFactory() {
		String[] names = connectionFactories();
		if (names.length != 1) {
			throw InvalidRedlockConfigurationException.noInstances(names.length,
					Binder.get(this.beans.getBean(Environment.class))
						.bind("spring.data.redis", Bindable.mapOf(String.class, Object.class))
						.isBound());
		}
		logger.warn("There are no redlock.instances, so locks use the Redis of the RedisConnectionFactory bean '{}'.",
				names[0]);
		return names[0];
	}

	private String[] connectionFactories() {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, RedisConnectionFactory.class, true,
				false);
	}

	private static void checkServers(LockNodes nodes) {
		if (!nodes.awaitFirstVerdicts(LONGEST_STARTUP_WAIT)) {
			logger.debug("Not all servers answered within {}; the lock keeps trying to connect in the background",
					LONGEST_STARTUP_WAIT);
		}
		List<String> names = nodes.list().stream().map(LockNode::name).toList();
		nodes.duplicates().forEach((name, other) -> {
			// The message names the two equal instances in the order of the
			// configuration, because the servers answer in any order.
			boolean inOrder = names.indexOf(other) < names.indexOf(name);
			throw InvalidRedlockConfigurationException.sameServer(inOrder ? name : other, inOrder ? other : name,
					"both instances have the same run_id");
		});
	}

	private void warnOfNumber(int count) {
		if (count == 1) {
			logger.warn(
					"Locks rest on one Redis instance: no lock can be acquired while that instance is down{}. With "
							+ "three instances, one may be down.",
					this.properties.restartGuard().enabled() ? ", nor for " + this.settings.maxTtl().toMillis()
							+ " ms (redlock.max-ttl) after the instance has lost its data" : "");
		}
		else if (count > 0 && count % 2 == 0) {
			logger.warn(
					"Locks rest on {} Redis instances, an even number. Only {} of them may fail, as with {} instances, "
							+ "but each lock needs one more answer than with {}. Use {} or {} instances.",
					count, (count - 1) / 2, count - 1, count - 1, count - 1, count + 1);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(LettuceClientConfigurationBuilderCustomizer.class)
	static class BootTuning {

		@Bean
		ClientFactory.Tuning redlockBootTuning(ObjectProvider<LettuceClientOptionsBuilderCustomizer> ofOptions,
				ObjectProvider<LettuceClientConfigurationBuilderCustomizer> ofConfiguration) {
			return (options, client) -> {
				ofOptions.orderedStream().forEach((customizer) -> customizer.customize(options));
				client.clientOptions(options.build());
				ofConfiguration.orderedStream().forEach((customizer) -> customizer.customize(client));
			};
		}

	}

}
