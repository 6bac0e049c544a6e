package dev.redlock.spring.autoconfigure.observation;

import java.util.function.LongSupplier;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.NettyLoop;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of the lock, except the timers of its observations.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({ Redlock.class, MeterRegistry.class })
@ConditionalOnBean({ Redlock.class, MeterRegistry.class })
public final class RedlockMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(Redlock.class)
	RedlockGauges redlockGauges(Redlock redlock,
			@Qualifier("redlockDroppedNotifications") ObjectProvider<LongSupplier> dropped,
			ObjectProvider<LockNodes> nodes) {
		LockNodes used = nodes.getIfUnique();
		return new RedlockGauges(redlock, dropped.getIfAvailable(),
				(used != null && used.loop() instanceof NettyLoop loop) ? loop::longestLag : null,
				(used != null) ? () -> used.membershipProblem().isPresent() : null);
	}

	@Bean
	@ConditionalOnMissingBean
	MeteredLocks redlockMeteredLocks(MeterRegistry registry) {
		return new MeteredLocks(registry);
	}

}
