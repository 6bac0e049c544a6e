package dev.redlock.sim;

/**
 * The marker of a server's data, and since when a life of that server has been known to
 * any client. Goes with the data.
 */
public final class SimMarker {

	private static final long AN_HOUR_MICROS = 3_600_000_000L;

	private final String name;

	private final boolean newLifeVouches;

	private String id;

	private int made;

	private Since since;

	/**
	 * A server without any data.
	 * @param name what the ids of its markers begin with
	 */
	public SimMarker(String name) {
		this(name, false);
	}

	SimMarker(String name, boolean newLifeVouches) {
		this.name = name;
		this.newLifeVouches = newLifeVouches;
	}

	/**
	 * The marker, empty if there is none.
	 */
	String id() {
		return (this.id != null) ? this.id : "";
	}

	/**
	 * Makes the data known for a long time.
	 */
	void knownForLong(String incarnation, boolean durable, long nowMicros) {
		Sighting seen = look("", false, incarnation, durable, true, nowMicros, nowMicros);
		this.since = new Since(seen.life(), durable, nowMicros - AN_HOUR_MICROS, nowMicros - AN_HOUR_MICROS);
	}

	/**
	 * Loses everything.
	 */
	public void forget() {
		this.id = null;
		this.since = null;
	}

	/**
	 * Tells a client since when this life has been known, and dates it anew where that
	 * client doubts it.
	 * @param known the life that the client knew, or nothing
	 * @param knownDurable whether that life was durable whenever the client looked
	 * @param incarnation which process of the server it is
	 * @param durable whether every write is on disk before it is answered
	 * @param ownFile whether it started with the file that the former process wrote
	 * @param serverMicros the time of the server
	 * @param clientMicros the time of the client
	 * @return what the client finds out
	 */
	public Sighting look(String known, boolean knownDurable, String incarnation, boolean durable, boolean ownFile,
			long serverMicros, long clientMicros) {
		if (this.id == null) {
			this.id = this.name + "-" + ++this.made;
		}
		String life = this.id + " " + incarnation;
		boolean sameData = (this.newLifeVouches ? durable : knownDurable && ownFile) && known.startsWith(this.id + " ");
		boolean doubtful = !known.isEmpty() && !known.equals(life) && !sameData;
		boolean sameLife = this.since != null && this.since.life.equals(life);
		boolean carriedOver = this.since != null && (this.newLifeVouches ? durable : this.since.durable && ownFile)
				&& this.since.life.startsWith(this.id + " ");
		boolean durably = durable && (!sameLife || this.since.durable);
		if (doubtful || !(sameLife || carriedOver)) {
			this.since = new Since(life, durably, serverMicros, clientMicros);
		}
		else {
			this.since = new Since(life, durably, this.since.serverMicros, this.since.clientMicros);
		}
		return new Sighting(this.id, incarnation, durable, durably, ownFile, serverMicros, this.since.serverMicros,
				this.since.clientMicros);
	}

	/**
	 * What a client that checks a server finds out.
	 *
	 * @param marker the marker of its data
	 * @param incarnation which process it is
	 * @param writesAll whether every write is on disk before it is answered
	 * @param durable whether that was so whenever any client looked
	 * @param ownFile whether it started with the file that the former process wrote
	 * @param serverMicros the time of the server
	 * @param sinceServerMicros since when this life has been known, by the server
	 * @param sinceClientMicros the same, by the client that saw it first
	 */
	public record Sighting(String marker, String incarnation, boolean writesAll, boolean durable, boolean ownFile,
			long serverMicros, long sinceServerMicros, long sinceClientMicros) {

		/**
		 * The name of one life of a server with one set of data.
		 * @return the name
		 */
		public String life() {
			return this.marker + " " + this.incarnation;
		}

	}

	private record Since(String life, boolean durable, long serverMicros, long clientMicros) {

	}

}
