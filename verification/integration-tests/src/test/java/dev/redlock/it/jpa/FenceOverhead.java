package dev.redlock.it.jpa;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Measures a transaction that reads and writes one row, with a plain {@code @Version} and
 * with a fence beside it. Not a test: run the main method.
 */
final class FenceOverhead {

	private static final int ROUNDS = Integer.getInteger("rounds", 1_500);

	private FenceOverhead() {
	}

	public static void main(String[] args) throws Exception {
		System.out.println("median of " + ROUNDS + " transactions each, in turns | plain | fenced | ratio");
		for (String storage : new String[] { "jpa", "jdbc" }) {
			measure(storage, "H2 over TCP", Database::h2);
			measure(storage, "PostgreSQL", Database::postgres);
			measure(storage, "MariaDB", Database::mariaDb);
		}
		measure("r2dbc", "PostgreSQL", Database::postgres);
	}

	private static void measure(String storage, String name, Callable<Database> start) throws Exception {
		try (Database database = start.call()) {
			Stock.create(storage, database.url(), 2 * ROUNDS);
			try (Stock plain = Stock.open(storage, false, database.url());
					Stock fenced = Stock.open(storage, true, database.url())) {
				long[] plainNanos = new long[ROUNDS];
				long[] fencedNanos = new long[ROUNDS];
				for (int i = -ROUNDS / 5; i < ROUNDS; i++) {
					// A lease for each transaction, as with @RedLock on the method.
					HeldLease lease = new HeldLease(i + 2 * ROUNDS, Set.of("stock:sneaker"));
					long without = nanos(lease, plain);
					long with = nanos(lease, fenced);
					if (i >= 0) {
						plainNanos[i] = without;
						fencedNanos[i] = with;
					}
				}
				print(storage + " on " + name, median(plainNanos), median(fencedNanos));
			}
		}
	}

	private static long nanos(HeldLease lease, Stock stock) {
		return HeldLease.under(lease, () -> {
			long begin = System.nanoTime();
			stock.sellOne();
			return System.nanoTime() - begin;
		});
	}

	private static long median(long[] nanos) {
		Arrays.sort(nanos);
		return nanos[nanos.length / 2];
	}

	private static void print(String name, long plain, long fenced) {
		System.out.printf("%s | %d us | %d us | %.2f%n", name, plain / 1000, fenced / 1000, (double) fenced / plain);
	}

}
