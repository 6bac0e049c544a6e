/**
 * Auto-configuration of what web clients are told when there is no lock.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
