package dev.redlock;

/**
 * How far a request is.
 */
enum CampaignPhase {

	/**
	 * Others of this process are first.
	 */
	IN_LINE,

	/**
	 * The nodes are being asked.
	 */
	ASKING,

	/**
	 * Between two tries, or before the first one.
	 */
	RESTING,

	OVER

}
