package dev.redlock.benchmarks.ensemble;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;

/**
 * The lock of etcd by jetcd with its defaults. Callers that wait form a queue on the
 * server. Its owner is a lease, so each call borrows one that no other call uses; leases
 * are kept alive until the end.
 */
final class EtcdContender implements Contender {

	private final Client client;

	private final Terms terms;

	private final Queue<Long> unused = new ConcurrentLinkedQueue<>();

	private final Queue<CloseableClient> renewals = new ConcurrentLinkedQueue<>();

	EtcdContender(Client client, Terms terms) {
		this.client = client;
		this.terms = terms;
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		long lease = borrow();
		ByteSequence key;
		try {
			key = within(this.client.getLockClient().lock(bytes(name), lease), "LOCK").getKey();
		}
		catch (IllegalStateException ex) {
			// The request may still be in the queue, or succeed later. It ends with its
			// lease.
			this.client.getLeaseClient().revoke(lease);
			if (ex.getCause() instanceof TimeoutException) {
				return false;
			}
			throw ex;
		}
		try {
			work.run();
		}
		finally {
			unlock(key, lease);
		}
		return true;
	}

	@Override
	public void close() {
		this.renewals.forEach(CloseableClient::close);
		this.client.close();
	}

	private void unlock(ByteSequence key, long lease) {
		try {
			within(this.client.getLockClient().unlock(key), "UNLOCK");
			this.unused.add(lease);
		}
		catch (IllegalStateException ex) {
			this.client.getLeaseClient().revoke(lease);
			throw ex;
		}
	}

	private long borrow() {
		Long lease = this.unused.poll();
		if (lease != null) {
			return lease;
		}
		long granted = within(this.client.getLeaseClient().grant(this.terms.ttl().toSeconds()), "GRANT").getID();
		this.renewals.add(this.client.getLeaseClient().keepAlive(granted, new Unheard()));
		return granted;
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
