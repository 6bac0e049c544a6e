/**
 * Auto-configuration of the answers to web requests that failed because of a lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
