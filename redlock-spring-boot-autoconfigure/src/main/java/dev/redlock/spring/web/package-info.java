/**
 * What web clients are told when there is no lock.
 */
@NullMarked
package dev.redlock.spring.web;

import org.jspecify.annotations.NullMarked;
