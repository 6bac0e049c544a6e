package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnLoss;
import dev.redlock.spring.annotation.RedLock.Renew;
import dev.redlock.spring.template.ReactiveCurrentLease;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A turn of a conversation with a language model.
 */
class Conversation {

	private final Model model;

	private final Messages messages;

	Conversation(Model model, Messages messages) {
		this.model = model;
		this.messages = messages;
	}

	// region: recipe-conversation
	@RedLock(resource = "conversation:#{#id}", waitFor = "0", renew = Renew.ON, maxHold = "5m",
			onLoss = OnLoss.INTERRUPT)
	public Flux<String> answer(String id, String question) {
		return ReactiveCurrentLease.require().flatMapMany((lease) -> {
			StringBuilder text = new StringBuilder();
			return this.model.stream(question)
				.doOnNext(text::append)
				.concatWith(Mono.defer(() -> this.messages.append(id, question, text.toString(), lease.fence()))
					.then(Mono.empty()));
		});
	}
	// endregion

	interface Model {

		Flux<String> stream(String question);

	}

	interface Messages {

		/**
		 * Appends a turn, unless a later fence has written to the conversation.
		 */
		Mono<Void> append(String id, String question, String answer, long fence);

	}

}
