package dev.redlock;

/**
 * How a turn came into a line, or would have.
 */
enum Entry {

	FIRST, BEHIND,

	/**
	 * Not at all: the line has just ended, and another takes its place.
	 */
	GONE

}
