/**
 * Auto-configuration of the answers to web clients that failed because of a lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
