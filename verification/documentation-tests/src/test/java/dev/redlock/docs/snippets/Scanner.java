package dev.redlock.docs.snippets;

import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockRequest;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.stereotype.Service;

@Service
class Scanner {

	private final AtomicInteger pages = new AtomicInteger();

	private final RedLockTemplate locks;

	Scanner(RedLockTemplate locks) {
		this.locks = locks;
	}

	// region: permits
	@RedLock(resource = "ocr", permits = 5)
	public void scan() {
		this.pages.incrementAndGet();
	}
	// endregion

	void scanInCode() {
		this.locks.execute(LockRequest.of("ocr").withPermits(5), (lease) -> this.pages.incrementAndGet());
	}

	int pages() {
		return this.pages.get();
	}

}
