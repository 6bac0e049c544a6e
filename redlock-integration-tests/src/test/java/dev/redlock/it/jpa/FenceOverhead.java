package dev.redlock.it.jpa;

import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * Measures a transaction that reads and writes one row, with a plain {@code @Version} and
 * with a fence beside it. Not a test: run the main method.
 */
final class FencedVersionOverhead {

	private static final int ROUNDS = Integer.getInteger("rounds", 3_000);

	private FencedVersionOverhead() {
	}

	public static void main(String[] args) throws Exception {
		System.out.println("median of " + ROUNDS + " transactions each, in turns | plain | fenced | ratio");
		measure("H2 over TCP", Database::h2);
		measure("PostgreSQL", Database::postgres);
		measure("MariaDB", Database::mariaDb);
	}

	private static void measure(String name, Callable<Database> start) throws Exception {
		try (Database database = start.call();
				Persistence jpa = new Persistence(database.url(), "create", StockItem.class, PlainItem.class)) {
			jpa.run((em) -> em.persist(new PlainItem("sneaker", 0)));
			jpa.run(1, "stock:sneaker", (em) -> em.persist(new StockItem("sneaker", 0)));
			long[] plain = new long[ROUNDS];
			long[] fenced = new long[ROUNDS];
			for (int i = -ROUNDS / 5; i < ROUNDS; i++) {
				long begin = System.nanoTime();
				jpa.run((em) -> em.find(PlainItem.class, "sneaker").remaining++);
				long middle = System.nanoTime();
				// A lease for each transaction, as with @RedLock on the method.
				jpa.run(i + ROUNDS, "stock:sneaker", (em) -> em.find(StockItem.class, "sneaker").remaining++);
				long end = System.nanoTime();
				if (i >= 0) {
					plain[i] = middle - begin;
					fenced[i] = end - middle;
				}
			}
			Arrays.sort(plain);
			Arrays.sort(fenced);
			System.out.printf("%s | %d us | %d us | %.2f%n", name, plain[ROUNDS / 2] / 1000, fenced[ROUNDS / 2] / 1000,
					(double) fenced[ROUNDS / 2] / plain[ROUNDS / 2]);
		}
	}

}
