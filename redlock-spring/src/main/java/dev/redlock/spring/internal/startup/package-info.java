/**
 * What happens once for each bean with locked methods: a proxy with the advisor, the
 * checks that the proxy locks and that the lock settings are possible, and the order in
 * which locks end. Most attributes are checked in {@code read}, the fallback and the
 * return type in {@code call}, where calls run. Other modules import
 * {@link dev.redlock.spring.interceptor.RedLockConfiguration}, and nothing from here. No
 * other room imports this one.
 */
@NullMarked
package dev.redlock.spring.internal.startup;

import org.jspecify.annotations.NullMarked;
