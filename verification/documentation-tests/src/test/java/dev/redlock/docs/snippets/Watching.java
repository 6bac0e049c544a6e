package dev.redlock.docs.snippets;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.spring.autoconfigure.RedlockLossEvent;
import dev.redlock.spring.autoconfigure.RedlockNodeEvent;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
class Watching {

	final List<Object> seen = new CopyOnWriteArrayList<>();

	@EventListener
	void nodeChanged(RedlockNodeEvent event) {
		this.seen.add(event);
	}

	@EventListener
	void leaseLost(RedlockLossEvent event) {
		this.seen.add(event);
	}

}
