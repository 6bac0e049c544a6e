/**
 * Where a lock meets a bean: the advisor and interceptor of Spring's proxies, and the
 * checks at startup. Other modules import
 * {@link dev.redlock.spring.interceptor.RedLockConfiguration}, and nothing from here.
 * This room is above all others.
 */
@NullMarked
package dev.redlock.spring.internal.apply;

import org.jspecify.annotations.NullMarked;
