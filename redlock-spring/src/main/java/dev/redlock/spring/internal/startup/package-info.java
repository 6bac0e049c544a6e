/**
 * What happens once for each bean with locked methods: a proxy with the advisor, the
 * checks that the proxy locks, and the order in which locks end. Attributes are checked
 * in {@code read}, and calls run in {@code call}. Other modules import
 * {@link dev.redlock.spring.interceptor.RedLockConfiguration}, and nothing from here. No
 * other room imports this one.
 */
@NullMarked
package dev.redlock.spring.internal.startup;

import org.jspecify.annotations.NullMarked;
