package dev.redlock.benchmarks.ensemble;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;

/**
 * The lock of etcd by jetcd with its defaults. Callers that wait form a queue on the
 * server. Its owner is a lease, so each call borrows one that no other call uses; leases
 * are kept alive until the end.
 */
final class EtcdContender implements Contender {

	private static final long LONGEST_REVOCATION_MILLIS = 500;

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final Client client;

	private final Terms terms;

	private final Queue<Session> unused = new ConcurrentLinkedQueue<>();

	private final Queue<Session> all = new ConcurrentLinkedQueue<>();

	EtcdContender(Client client, Terms terms) {
		this.client = client;
		this.terms = terms;
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		Session session = borrow();
		ByteSequence key;
		try {
			key = within(this.client.getLockClient().lock(bytes(name), session.lease), "LOCK").getKey();
		}
		catch (IllegalStateException ex) {
			end(session);
			if (ex.getCause() instanceof TimeoutException) {
				return false;
			}
			throw ex;
		}
		try {
			work.run();
		}
		finally {
			unlock(key, session);
		}
		return true;
	}

	@Override
	public void close() {
		this.all.forEach((session) -> session.renewal.close());
		this.client.close();
	}

	private void unlock(ByteSequence key, Session session) {
		try {
			within(this.client.getLockClient().unlock(key), "UNLOCK");
			this.unused.add(session);
		}
		catch (IllegalStateException ex) {
			end(session);
			throw ex;
		}
	}

	private Session borrow() {
		Session unused = this.unused.poll();
		if (unused != null) {
			return unused;
		}
		Lease leases = this.client.getLeaseClient();
		long lease = within(leases.grant(this.terms.ttl().toSeconds()), "GRANT").getID();
		Session session = new Session(lease, leases.keepAlive(lease, new Unheard()));
		this.all.add(session);
		return session;
	}

	/**
	 * Ends the lease of a request that failed. The request may still wait in the queue,
	 * or have the lock without our knowledge, and loses both with its lease. Tries again
	 * while the members have no leader, until the lease has ended by itself.
	 */
	private void end(Session session) {
		session.renewal.close();
		this.all.remove(session);
		long start = System.nanoTime();
		while (System.nanoTime() - start < this.terms.ttl().toNanos()) {
			try {
				this.client.getLeaseClient()
					.revoke(session.lease)
					.get(LONGEST_REVOCATION_MILLIS, TimeUnit.MILLISECONDS);
				return;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return;
			}
			catch (ExecutionException | TimeoutException ex) {
				LockSupport.parkNanos(PAUSE_NANOS);
			}
		}
	}

	private <T> T within(CompletableFuture<T> answer, String request) {
		try {
			return answer.get(this.terms.patience().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(request + " was interrupted", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(request + " failed: " + ex.getCause(), ex);
		}
		catch (TimeoutException ex) {
			answer.cancel(true);
			throw new IllegalStateException(request + " was not answered", ex);
		}
	}

	private static ByteSequence bytes(String name) {
		return ByteSequence.from(name, StandardCharsets.UTF_8);
	}

	/**
	 * A lease and its renewal.
	 *
	 * @param lease the id of the lease
	 * @param renewal keeps it alive until it is closed
	 */
	private record Session(long lease, CloseableClient renewal) {

	}

	/**
	 * A lease that is lost shows in the next request that uses it.
	 */
	private static final class Unheard implements StreamObserver<LeaseKeepAliveResponse> {

		@Override
		public void onNext(LeaseKeepAliveResponse response) {
		}

		@Override
		public void onError(Throwable ex) {
		}

		@Override
		public void onCompleted() {
		}

	}

}
