package dev.redlock.it.jpa;

import dev.redlock.it.data.DataStock;

/**
 * What a {@link StockProcess} sells from: rows with a fence or without, in one storage.
 */
public interface Stock extends AutoCloseable {

	/**
	 * Reads and writes in one transaction.
	 */
	void sellOne();

	@Override
	void close();

	/**
	 * Creates the tables, each with one row that has so many pieces.
	 */
	static void create(String storage, String url, int remaining) {
		if (!storage.equals("jpa")) {
			DataStock.create(url, remaining);
			return;
		}
		try (Persistence jpa = new Persistence(url, "create", StockItem.class, PlainItem.class)) {
			jpa.run((em) -> em.persist(new PlainItem("sneaker", remaining)));
			jpa.run(1, "stock:sneaker", (em) -> em.persist(new StockItem("sneaker", remaining)));
		}
	}

	static Stock open(String storage, boolean fenced, String url) {
		return storage.equals("jpa")
				? new OfEntities(new Persistence(url, "none", StockItem.class, PlainItem.class), fenced)
				: DataStock.open(storage, fenced, url);
	}

	/**
	 * JPA.
	 */
	record OfEntities(Persistence jpa, boolean fenced) implements Stock {

		@Override
		public void sellOne() {
			this.jpa.run((em) -> {
				if (this.fenced) {
					em.find(StockItem.class, "sneaker").remaining--;
				}
				else {
					em.find(PlainItem.class, "sneaker").remaining--;
				}
			});
		}

		@Override
		public void close() {
			this.jpa.close();
		}

	}

}
