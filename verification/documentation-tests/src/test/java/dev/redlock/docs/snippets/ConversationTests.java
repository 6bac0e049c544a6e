package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.test.EmbeddedRedlock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(classes = { SnippetApplication.class, ConversationTests.Chat.class })
@EmbeddedRedlock
class ConversationTests {

	@Test
	void aSecondQuestionIsRefusedWhileTheFirstIsAnswered(@Autowired Conversation conversation, @Autowired Chat chat) {
		CompletableFuture<List<String>> first = conversation.answer("c1", "Why?").collectList().toFuture();
		Awaitility.await().until(() -> chat.words.currentSubscriberCount() == 1);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> conversation.answer("c1", "And now?").blockLast(Duration.ofSeconds(10)))
			.satisfies((refused) -> assertThat(refused.reason()).isEqualTo(Reason.HELD));
		chat.words.tryEmitNext("Be").orThrow();
		chat.words.tryEmitNext("cause").orThrow();
		chat.words.tryEmitComplete().orThrow();
		assertThat(first).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(List.of("Be", "cause"));
		assertThat(chat.appended).containsExactly("Why? Because");
	}

	@Configuration(proxyBeanMethods = false)
	static class Chat {

		final Sinks.Many<String> words = Sinks.many().multicast().onBackpressureBuffer();

		final List<String> appended = new CopyOnWriteArrayList<>();

		@Bean
		Conversation conversation() {
			return new Conversation((question) -> this.words.asFlux(),
					(id, question, answer, fence) -> Mono.fromRunnable(() -> {
						assertThat(fence).isPositive();
						this.appended.add(question + " " + answer);
					}));
		}

	}

}
