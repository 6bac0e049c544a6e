/**
 * Where a lock meets a bean: the interceptor of Spring's proxies, and the checks at
 * startup. Other modules import
 * {@link dev.redlock.spring.interceptor.RedLockConfiguration}, and nothing from here. No
 * other room imports this one.
 */
@NullMarked
package dev.redlock.spring.internal.apply;

import org.jspecify.annotations.NullMarked;
