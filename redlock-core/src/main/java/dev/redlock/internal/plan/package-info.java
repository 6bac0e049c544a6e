/**
 * What one request wants, until when, and who hears of it.
 * <p>
 * {@link LockPlan} is a request with all its defaults, its keys and its nodes.
 * {@link Deadline}, {@link Moment} and {@link Validity} measure time, {@link Tokens} and
 * {@link Ticket} make the secrets of owners, and {@link RequestNotifier} tells the
 * listeners of the request.
 * <p>
 * This package knows the public types and the contract of a node, but no other room.
 */
@NullMarked
package dev.redlock.internal.plan;

import org.jspecify.annotations.NullMarked;
