package dev.redlock.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.redlock.LockRequest;
import dev.redlock.lettuce.Certificates;
import dev.redlock.lettuce.EncryptedRedis;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * TLS where a Sentinel group or a cluster counts as one instance: to everybody there.
 */
class EncryptedGroupTests {

	@TempDir
	static Path directory;

	private static Certificates certificates;

	@AutoClose
	private static RedisProcess master;

	@AutoClose
	private static RedisProcess sentinel;

	@AutoClose
	private static RedisProcess cluster;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class))
		.withPropertyValues("redlock.restart-guard.enabled=false",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.certificate("authority"),
				"spring.ssl.bundle.pem.redis.keystore.certificate=file:" + certificates.certificate("server"),
				"spring.ssl.bundle.pem.redis.keystore.private-key=file:" + certificates.key("server"));

	@BeforeAll
	static void start() throws IOException {
		certificates = new Certificates(directory, "authority").issue("server", "dns:localhost,ip:127.0.0.1");
		Path certificate = certificates.certificate("server");
		Path key = certificates.key("server");
		String authority = certificates.certificate("authority").toString();
		master = EncryptedRedis.start(certificate, key, "--tls-ca-cert-file", authority, "--tls-auth-clients", "yes");
		assumeTrue(master.isRunning(), "This redis-server knows no TLS");
		Path configuration = Files.writeString(directory.resolve("sentinel.conf"),
				"sentinel monitor locks 127.0.0.1 " + master.port() + " 1\n");
		sentinel = EncryptedRedis.startSentinel(configuration, certificate, key, "--tls-ca-cert-file", authority,
				"--tls-replication", "yes");
		cluster = EncryptedRedis.start(certificate, key, "--tls-ca-cert-file", authority, "--cluster-enabled", "yes",
				"--tls-cluster", "yes");
		cluster.takeAllSlots();
	}

	@Test
	void aMasterBehindSentinelsIsAskedOverTls() {
		assertLocks("redlock.instances.a.sentinel.master=locks",
				"redlock.instances.a.sentinel.nodes=127.0.0.1:" + sentinel.port());
	}

	@Test
	void aClusterIsAskedOverTls() {
		assertLocks("redlock.instances.a.cluster.nodes=127.0.0.1:" + cluster.port());
	}

	private void assertLocks(String... instance) {
		this.runner.withPropertyValues(instance)
			.withPropertyValues("redlock.instances.a.ssl.bundle=redis")
			.run((context) -> {
				LockNode node = context.getBean(LockNodes.class).list().get(0);
				Awaitility.await(node + " was " + node.status())
					.atMost(Duration.ofSeconds(10))
					.until(() -> node.status().state() == State.READY);
				assertThat(context.getBean(RedLockOperations.class)
					.<Boolean>execute(LockRequest.of("tls").withTtl(Duration.ofSeconds(10)),
							(lease) -> lease.isValid()))
					.isTrue();
			});
	}

}
