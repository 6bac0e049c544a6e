package dev.redlock.docs.snippets;

import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import dev.redlock.spring.fencing.FencedResource;
import dev.redlock.spring.leader.LeaderGrantedEvent;
import dev.redlock.spring.leader.LeaderOnly;
import dev.redlock.spring.leader.LeaderRevokedEvent;
import dev.redlock.spring.leader.LeaderTemplate;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

@Service
class Importer {

	private final AtomicInteger imports = new AtomicInteger();

	private volatile long term;

	private final FencedResource storage = new FencedResource("imports");

	private final LeaderTemplate leaders;

	Importer(LeaderTemplate leaders) {
		this.leaders = leaders;
	}

	// region: leader-only
	@Scheduled(fixedDelay = 1000)
	@LeaderOnly(value = "importer", otherwise = OnFailure.SKIP_ALWAYS)
	public void importNext() {
		this.imports.incrementAndGet();
	}
	// endregion

	@LeaderOnly("importer")
	public void store() {
		long term = CurrentLease.require("importer").fence();
		this.storage.access(term, this.imports::incrementAndGet);
	}

	void importIfLeader() {
		if (this.leaders.role("importer").isLeader()) {
			this.leaders.execute("importer", (lease) -> this.imports.incrementAndGet());
		}
	}

	@EventListener
	void granted(LeaderGrantedEvent event) {
		this.term = event.term();
	}

	@EventListener
	void revoked(LeaderRevokedEvent event) {
		this.term = 0;
	}

	int imports() {
		return this.imports.get();
	}

	long term() {
		return this.term;
	}

}
