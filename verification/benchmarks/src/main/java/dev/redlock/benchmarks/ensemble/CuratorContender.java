package dev.redlock.benchmarks.ensemble;

import java.util.concurrent.TimeUnit;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Terms;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * The lock of Curator on ZooKeeper. Callers that wait form a queue on the server, and
 * each watches the one before it. Its owner is a thread of the session, which lives as
 * long as the client is heard of.
 */
final class CuratorContender implements Contender {

	private static final int FIRST_RETRY_MILLIS = 100;

	private static final int RETRIES = 5;

	private final CuratorFramework client;

	private final Terms terms;

	CuratorContender(String servers, Terms terms) {
		this.terms = terms;
		this.client = CuratorFrameworkFactory.newClient(servers, Math.toIntExact(terms.ttl().toMillis()),
				Math.toIntExact(terms.patience().toMillis()), new ExponentialBackoffRetry(FIRST_RETRY_MILLIS, RETRIES));
		this.client.start();
	}

	@Override
	public boolean withLock(String name, Runnable work) {
		InterProcessMutex lock = new InterProcessMutex(this.client, "/locks/" + name);
		try {
			if (!lock.acquire(this.terms.patience().toMillis(), TimeUnit.MILLISECONDS)) {
				return false;
			}
			try {
				work.run();
			}
			finally {
				lock.release();
			}
			return true;
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper: " + ex, ex);
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
