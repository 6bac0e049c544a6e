package dev.redlock.benchmarks.scenario;

/**
 * What a process is like that holds many leases.
 *
 * @param threadsBefore its threads before it had them
 * @param threads its threads with them
 * @param heapPerLease bytes of heap for each lease
 * @param cpuSeconds the time of processors that it used while it held them
 * @param lost how many leases are not valid any more
 */
record HeldState(int threadsBefore, int threads, double heapPerLease, double cpuSeconds, long lost) {

	static HeldState decode(String line) {
		String[] words = line.split(" ");
		return new HeldState(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Double.parseDouble(words[2]),
				Double.parseDouble(words[3]), Long.parseLong(words[4]));
	}

	String encode() {
		return this.threadsBefore + " " + this.threads + " " + this.heapPerLease + " " + this.cpuSeconds + " "
				+ this.lost;
	}

}
