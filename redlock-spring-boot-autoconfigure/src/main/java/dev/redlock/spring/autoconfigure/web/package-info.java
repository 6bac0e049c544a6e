/**
 * Auto-configuration of the answers to web requests that failed because of a lock.
 * Nothing here takes a lock: a handler uses {@code @RedLock} or a template.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
