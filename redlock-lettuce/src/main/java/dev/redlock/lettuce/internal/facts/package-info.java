/**
 * Settings, what a server says about itself, and errors in words. {@code NodeSettings}
 * are the settings of all nodes of a lock. {@code ServerFacts} are read from the INFO of
 * a server, and {@code ServerRegistry} finds a server that two nodes share.
 * {@code ServerErrors}, {@code ConnectionErrors}, {@code TlsErrors} and
 * {@code UnfitServerException} explain what went wrong, {@code ServerErrors} also decides
 * which {@code Vote.Fault} an error of a server is, and {@code AclRules} lists the rights
 * of the Redis user.
 * <p>
 * Nothing here sends a command or remembers a connection, so texts for readers may be
 * changed without knowing the rest.
 */
@NullMarked
package dev.redlock.lettuce.internal.facts;

import org.jspecify.annotations.NullMarked;
