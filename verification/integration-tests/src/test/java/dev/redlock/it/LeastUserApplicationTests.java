package dev.redlock.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.it.LockedApplication.Service;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole application does all that it has to as the user of the documentation, who is
 * made from the line that is printed there.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeastUserApplicationTests extends QuorumOnRealNodesTests {

	private static final Path PAGE = Path.of("../../docs/production.md");

	@Override
	void prepare(RedisNodes fresh) {
		try (Stream<String> lines = Files.lines(PAGE)) {
			String[] command = lines.filter((line) -> line.startsWith("ACL SETUSER "))
				.findFirst()
				.orElseThrow()
				.split(" ");
			fresh.asList().forEach((node) -> assertThat(node.command(command)).isEqualTo("OK"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	ConfigurableApplicationContext start(String... properties) {
		return super.start(Stream.concat(Stream.of(properties),
				Stream.of("a", "b", "c", "d", "e")
					.flatMap((node) -> Stream.of("redlock.instances." + node + ".username=redlock",
							"redlock.instances." + node + ".password=secret")))
			.toArray(String[]::new));
	}

	@Test
	void severalNamesAreLockedExtendedSeenHandedOverAndReleased(CapturedOutput output) {
		Redlock redlock = context().getBean(Redlock.class);
		RedLockOperations locks = context().getBean(RedLockOperations.class);
		LockRequest request = LockRequest.of("acl:a", "acl:{tag}b", "acl:c}").withTtl(Duration.ofSeconds(20));
		Lease lease = locks.acquire(request);
		assertThat(lease.fence()).isPositive();
		assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
		assertThat(redlock.inspect("acl:a").toCompletableFuture()).succeedsWithin(5, TimeUnit.SECONDS);
		assertThat(lease.isValid()).isTrue();
		lease.close();
		try (Lease next = locks.acquire(request)) {
			assertThat(next.fence()).isGreaterThan(lease.fence());
		}
		assertThat(output).doesNotContain("ACL rules").doesNotContain("NOPERM");
	}

	@Test
	void whoWaitsInAnotherApplicationIsToldOfTheRelease() {
		try (ConfigurableApplicationContext other = start("test.wait-for=20s")) {
			LockedApplication.awaitReady(other);
			Service theirs = other.getBean(Service.class);
			Lease lease = context().getBean(RedLockOperations.class)
				.acquire(LockRequest.of("order:acl").withTtl(Duration.ofSeconds(50)));
			CompletableFuture<String> waiting = CompletableFuture
				.supplyAsync(() -> theirs.<String>locked("acl", () -> "ran"));
			Awaitility.await().untilAsserted(() -> assertThat(nodes().asList()).allSatisfy(this::isListenedTo));
			lease.close();
			assertThat(waiting).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("ran");
		}
	}

	private void isListenedTo(RedisNode node) {
		assertThat(String.valueOf(node.command("PUBSUB", "CHANNELS", "redlock:*"))).contains("redlock:order:acl");
	}

}
