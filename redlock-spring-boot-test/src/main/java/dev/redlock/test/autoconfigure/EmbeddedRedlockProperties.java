package dev.redlock.test.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the embedded nodes.
 *
 * @param enabled Whether embedded nodes are started. By default only if no
 * redlock.instances are configured; true starts them all the same and uses them instead
 * of the configured instances.
 * @param nodes How many Redis nodes are started.
 * @param restartGuard Whether a node that is restarted or emptied waits for
 * redlock.max-ttl before it votes again, as servers with data worth keeping do. The first
 * start never waits.
 */
@ConfigurationProperties("redlock.embedded")
record EmbeddedRedlockProperties(@Nullable Boolean enabled, @DefaultValue("5") int nodes,
		@DefaultValue("false") boolean restartGuard) {

}
