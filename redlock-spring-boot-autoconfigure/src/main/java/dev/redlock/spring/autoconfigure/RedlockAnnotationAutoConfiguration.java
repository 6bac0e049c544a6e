package dev.redlock.spring.autoconfigure;

import dev.redlock.Redlock;
import dev.redlock.spring.interceptor.RedLockConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of {@link dev.redlock.spring.annotation.RedLock @RedLock}. The
 * annotation works without AspectJ and with any value of {@code spring.aop.auto}.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class)
@ConditionalOnClass({ Redlock.class, RedLockConfiguration.class })
@Import(RedLockConfiguration.class)
public final class RedlockAnnotationAutoConfiguration {

}
