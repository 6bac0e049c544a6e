package dev.redlock.it.jpa;

import dev.redlock.CurrentLease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import jakarta.persistence.EntityManager;

import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The recipe of work that a request begins and a worker ends under one lock.
 */
class Shipments {

	private final EntityManager entities;

	Shipments(EntityManager entities) {
		this.entities = entities;
	}

	// region: recipe-ticket-request
	@RedLock("stock:#{#sku}")
	@Transactional
	public void order(String sku) {
		StockItem item = this.entities.find(StockItem.class, sku);
		item.remaining--;
		this.entities.persist(new ShipmentTask(sku, CurrentLease.require().detach()));
	}
	// endregion

	/**
	 * The worker, which may be another process.
	 */
	static class Worker {

		private final RedLockTemplate locks;

		private final TransactionTemplate transaction;

		private final EntityManager entities;

		Worker(RedLockTemplate locks, TransactionTemplate transaction, EntityManager entities) {
			this.locks = locks;
			this.transaction = transaction;
			this.entities = entities;
		}

		// region: recipe-ticket-worker
		void work(ShipmentTask task) {
			try {
				this.locks.execute(LockRequest.succeeding(task.ticket), (lease) -> ship(task.sku));
			}
			catch (LockNotAcquiredException ex) {
				switch (ex.reason()) {
					// Nobody has the lock: begin anew, unless the task has been done.
					case TICKET_EXPIRED ->
						this.locks.execute(LockRequest.of("stock:" + task.sku), (lease) -> ship(task.sku));
					// Another owner works on the item now, perhaps with this ticket.
					default -> throw ex;
				}
			}
		}
		// endregion

		boolean ship(String sku) {
			return this.transaction.execute((status) -> {
				ShipmentTask open = this.entities.find(ShipmentTask.class, sku);
				if (open == null) {
					return false;
				}
				this.entities.find(StockItem.class, sku).remaining -= 10;
				this.entities.remove(open);
				return true;
			});
		}

	}

}
