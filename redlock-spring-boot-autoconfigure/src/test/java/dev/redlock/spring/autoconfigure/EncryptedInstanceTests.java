package dev.redlock.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.redis.LockNodes;
import dev.redlock.spring.redis.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class EncryptedInstanceTests {

	private static final String PASSWORD = "changeit";

	@TempDir
	static Path directory;

	private static RedisProcess redis;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class))
		.withPropertyValues("redlock.restart-guard.enabled=false",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + directory.resolve("cert.pem"));

	@BeforeAll
	static void start() throws Exception {
		writeCertificate();
		redis = RedisProcess.startEncrypted(directory.resolve("cert.pem"), directory.resolve("key.pem"),
				"--requirepass", "s3cret");
		assumeTrue(redis.isRunning(), "This redis-server knows no TLS");
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void anInstanceWithAnSslBundleIsReady() {
		this.runner
			.withPropertyValues("redlock.instances.a.host=localhost", "redlock.instances.a.port=" + redis.port(),
					"redlock.instances.a.password=s3cret", "redlock.instances.a.ssl.bundle=redis")
			.run((context) -> assertThat(state(context.getBean(LockNodes.class))).isEqualTo(State.READY));
	}

	@Test
	void aUrlWithTlsAndPasswordIsReady() {
		this.runner
			.withPropertyValues("redlock.instances.a.url=rediss://:s3cret@localhost:" + redis.port(),
					"redlock.instances.a.ssl.bundle=redis")
			.run((context) -> assertThat(state(context.getBean(LockNodes.class))).isEqualTo(State.READY));
	}

	@Test
	void aServerWithACertificateThatNobodyTrustsIsUnavailable() {
		this.runner.withPropertyValues("redlock.instances.a.url=rediss://:s3cret@localhost:" + redis.port())
			.run((context) -> assertThat(state(context.getBean(LockNodes.class))).isEqualTo(State.UNAVAILABLE));
	}

	private static State state(LockNodes nodes) {
		return nodes.list().get(0).status().state();
	}

	private static void writeCertificate() throws IOException, InterruptedException, GeneralSecurityException {
		Path store = directory.resolve("store.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "redis", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost",
				"-ext", "SAN=dns:localhost,ip:127.0.0.1", "-validity", "2", "-storetype", "PKCS12", "-keystore",
				store.toString(), "-storepass", PASSWORD)
			.inheritIO()
			.start();
		assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
		KeyStore keys = KeyStore.getInstance("PKCS12");
		try (InputStream input = Files.newInputStream(store)) {
			keys.load(input, PASSWORD.toCharArray());
		}
		writePem("cert.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
		writePem("key.pem", "PRIVATE KEY", keys.getKey("redis", PASSWORD.toCharArray()).getEncoded());
	}

	private static void writePem(String file, String type, byte[] content) throws IOException {
		String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
		Files.writeString(directory.resolve(file),
				"-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
	}

}
