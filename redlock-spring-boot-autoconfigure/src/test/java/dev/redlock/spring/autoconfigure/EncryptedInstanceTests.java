package dev.redlock.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

import dev.redlock.LockRequest;
import dev.redlock.lettuce.Certificates;
import dev.redlock.lettuce.EncryptedRedis;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * TLS with certificates of an authority of our own, against real servers.
 */
class EncryptedInstanceTests {

	@TempDir
	static Path directory;

	private static Certificates trusted;

	private static Certificates strange;

	@AutoClose
	private static RedisProcess redis;

	@AutoClose
	private static RedisProcess mutual;

	@AutoClose
	private static RedisProcess elsewhere;

	@AutoClose
	private static RedisProcess plain;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class))
		.withPropertyValues("redlock.restart-guard.enabled=false",
				pem("redis") + "truststore.certificate=file:" + trusted.certificate("authority"),
				pem("known") + "truststore.certificate=file:" + trusted.certificate("authority"),
				pem("known") + "keystore.certificate=file:" + trusted.certificate("client"),
				pem("known") + "keystore.private-key=file:" + trusted.key("client"),
				pem("stranger") + "truststore.certificate=file:" + trusted.certificate("authority"),
				pem("stranger") + "keystore.certificate=file:" + strange.certificate("client"),
				pem("stranger") + "keystore.private-key=file:" + strange.key("client"),
				pem("mistrustful") + "truststore.certificate=file:" + strange.certificate("stranger"));

	@BeforeAll
	static void start() {
		trusted = new Certificates(directory, "authority").issue("server", "dns:localhost,ip:127.0.0.1")
			.issue("client", "dns:shop");
		Path other = directory.resolve("strange");
		other.toFile().mkdir();
		strange = new Certificates(other, "stranger").issue("client", "dns:shop");
		redis = EncryptedRedis.start(trusted.certificate("server"), trusted.key("server"), "--requirepass", "s3cret");
		assumeTrue(redis.isRunning(), "This redis-server knows no TLS");
		mutual = EncryptedRedis.start(trusted.certificate("server"), trusted.key("server"), "--tls-auth-clients", "yes",
				"--tls-ca-cert-file", trusted.certificate("authority").toString());
		elsewhere = EncryptedRedis.start(trusted.certificate("client"), trusted.key("client"));
		plain = RedisProcess.start();
	}

	@Test
	void anInstanceWithAnSslBundleIsReady() {
		this.runner
			.withPropertyValues("redlock.instances.a.host=localhost", "redlock.instances.a.port=" + redis.port(),
					"redlock.instances.a.password=s3cret", "redlock.instances.a.ssl.bundle=redis")
			.run((context) -> assertReady(context.getBean(LockNodes.class)));
	}

	@Test
	void theOnlyConnectionFactoryGivesItsPasswordAndItsTls() {
		this.runner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=localhost", "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.password=s3cret", "spring.data.redis.ssl.bundle=redis")
			.run((context) -> assertReady(context.getBean(LockNodes.class)));
	}

	@Test
	void aLockIsHeldOnServersThatWantToKnowTheirClients() {
		this.runner.withPropertyValues(instance(mutual, "known"))
			.withPropertyValues("redlock.instances.b.host=127.0.0.1", "redlock.instances.b.port=" + redis.port(),
					"redlock.instances.b.password=s3cret", "redlock.instances.b.ssl.bundle=redis",
					"redlock.instances.c.host=127.0.0.1", "redlock.instances.c.port=" + plain.port())
			.run((context) -> {
				assertReady(context.getBean(LockNodes.class));
				String held = context.getBean(RedLockOperations.class)
					.execute(LockRequest.of("tls").withTtl(Duration.ofSeconds(10)),
							(lease) -> plain.ask((commands) -> commands.get("redlock:tls")));
				assertThat(held).isNotBlank();
			});
	}

	@Test
	void aServerThatNobodyVouchesForIsRefusedAndTheBundleIsNamed() {
		assertRefused(redis, "mistrustful", "The server's certificate is not trusted", "truststore", "ssl.bundle");
		this.runner.withPropertyValues("redlock.instances.a.url=rediss://:s3cret@localhost:" + redis.port())
			.run((context) -> assertThat(status(context.getBean(LockNodes.class)).reason())
				.contains("The server's certificate is not trusted"));
	}

	@Test
	void aServerWithACertificateForAnotherHostIsRefused() {
		assertRefused(elsewhere, "redis", "The server's certificate is for another host", "localhost");
	}

	@Test
	void aClientWithoutACertificateIsToldThatItNeedsOne() {
		assertRefused(mutual, "redis", "The server asks for a certificate of this client", "keystore", "ssl.bundle");
	}

	@Test
	void aClientWithACertificateThatTheServerDoesNotTrustIsToldSo() {
		assertRefused(mutual, "stranger", "The server does not accept the certificate of this client");
	}

	@Test
	void aServerThatDoesNotSpeakTlsMakesOneThinkOfIt() {
		assertRefused(plain, "redis", "does not speak TLS on this port");
	}

	@Test
	void aServerThatExpectsTlsMakesOneThinkOfIt() {
		this.runner.withPropertyValues("redlock.instances.a.url=redis://127.0.0.1:" + mutual.port())
			.run((context) -> Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(
						() -> assertThat(status(context.getBean(LockNodes.class)).reason()).contains("expects TLS")));
	}

	private void assertRefused(RedisProcess server, String bundle, String... reasons) {
		this.runner.withPropertyValues(instance(server, bundle)).run((context) -> {
			Consumer<NodeStatus> clear = (status) -> {
				assertThat(status.state()).isEqualTo(State.UNAVAILABLE);
				assertThat(status.reason()).contains(reasons);
			};
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(status(context.getBean(LockNodes.class))).satisfies(clear));
		});
	}

	private static String[] instance(RedisProcess server, String bundle) {
		return new String[] { "redlock.instances.a.host=localhost", "redlock.instances.a.port=" + server.port(),
				"redlock.instances.a.password=" + ((server == redis) ? "s3cret" : ""),
				"redlock.instances.a.ssl.bundle=" + bundle };
	}

	private static String pem(String bundle) {
		return "spring.ssl.bundle.pem." + bundle + ".";
	}

	private static void assertReady(LockNodes nodes) {
		for (LockNode node : nodes.list()) {
			Awaitility.await(node.name() + " was " + node.status())
				.atMost(Duration.ofSeconds(10))
				.until(() -> node.status().state() == State.READY);
		}
	}

	private static NodeStatus status(LockNodes nodes) {
		return nodes.list().get(0).status();
	}

}
