/**
 * Answers to web clients whose request failed because of a lock.
 */
@NullMarked
package dev.redlock.spring.web;

import org.jspecify.annotations.NullMarked;
