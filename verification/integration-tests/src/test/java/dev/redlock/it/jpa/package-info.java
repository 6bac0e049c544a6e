/**
 * Entities with a fence, on H2 and on real database servers.
 */
package dev.redlock.it.jpa;
