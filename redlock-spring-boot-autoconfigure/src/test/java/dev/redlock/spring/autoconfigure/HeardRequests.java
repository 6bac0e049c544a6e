package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.LockRequest;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import org.jspecify.annotations.Nullable;

/**
 * Hears of requests on the thread that makes them.
 */
final class HeardRequests implements RedlockListener {

	final List<String> names = new ArrayList<>();

	@Override
	public boolean isQuick() {
		return true;
	}

	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		this.names.addAll(request.resources());
		return null;
	}

}
