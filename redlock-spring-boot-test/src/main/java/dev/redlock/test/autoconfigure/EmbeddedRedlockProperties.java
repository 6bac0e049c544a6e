package dev.redlock.test.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the embedded nodes.
 *
 * @param enabled Whether to start embedded nodes. By default, embedded nodes start in
 * tests and with Spring Boot's developer tools, unless redlock.instances is set.
 * @param nodes Number of Redis nodes to start.
 * @param restartGuard Whether a node that is restarted or emptied waits for
 * redlock.max-ttl before it votes again, as in production.
 */
@ConfigurationProperties("redlock.embedded")
record EmbeddedRedlockProperties(@Nullable Boolean enabled, @DefaultValue("5") int nodes,
		@DefaultValue("false") boolean restartGuard) {

}
