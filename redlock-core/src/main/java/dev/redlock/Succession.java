package dev.redlock;

import org.jspecify.annotations.Nullable;

/**
 * Who of this process comes after a release, and how.
 *
 * @param next who comes, or null if nobody waits here
 * @param manner how the lock goes on
 */
record Succession(@Nullable Turn next, Manner manner) {

	static final Succession NOBODY = new Succession(null, Manner.PASSED_ON);

	/**
	 * Whether the release has to be announced to others.
	 */
	boolean announced() {
		return this.manner != Manner.HANDED_OVER;
	}

	/**
	 * How the lock goes on.
	 */
	enum Manner {

		/**
		 * The next one has promised to ask right behind the release.
		 */
		HANDED_OVER,

		/**
		 * The next one, if any, asks like everybody else.
		 */
		PASSED_ON,

		/**
		 * The next one waits until others had their chance.
		 */
		STANDING_BACK

	}

}
