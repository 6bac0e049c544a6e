/**
 * Answers to web clients whose request failed because of a lock, and fences that one
 * service sends to another.
 */
@NullMarked
package dev.redlock.spring.web;

import org.jspecify.annotations.NullMarked;
