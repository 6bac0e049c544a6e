/**
 * What a resource needs to refuse those who come too late: checks of the fence.
 */
@NullMarked
package dev.redlock.spring.fencing;

import org.jspecify.annotations.NullMarked;
