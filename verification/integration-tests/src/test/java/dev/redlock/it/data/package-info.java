/**
 * Aggregates with a fence, by Spring Data JDBC and R2DBC, on H2 and on real servers.
 */
package dev.redlock.it.data;
