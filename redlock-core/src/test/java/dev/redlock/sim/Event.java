package dev.redlock.sim;

/**
 * Something that can happen next.
 */
record Event(Kind kind, int client, int node) {

	boolean touchesTheSameAs(Event other) {
		boolean sameClient = this.client >= 0 && this.client == other.client && touchesClient()
				&& other.touchesClient();
		boolean sameNode = this.node >= 0 && this.node == other.node && this.kind != Kind.REPLY
				&& other.kind != Kind.REPLY;
		return meetsRival(other) || other.meetsRival(this) || sameClient || sameNode || observes(other)
				|| other.observes(this);
	}

	/**
	 * A rival comes and goes at one moment, on all nodes.
	 */
	private boolean meetsRival(Event other) {
		return this.kind == Kind.RIVAL && other.node >= 0 && other.kind != Kind.REPLY;
	}

	private boolean touchesClient() {
		return this.kind != Kind.ARRIVE;
	}

	/**
	 * A lease comes with a reply. Whether another asks or lets go before it or after it
	 * is part of what is promised.
	 */
	private boolean observes(Event other) {
		return this.kind == Kind.REPLY && (other.kind == Kind.ASK || other.kind == Kind.LET_GO);
	}

	enum Kind {

		ASK, ARRIVE, REPLY, LET_GO, LOSE_KEY, RIVAL, LATE

	}

}
