package dev.redlock.lettuce;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Makes certificates with the tool of the JDK: an authority, and whom it vouches for.
 */
public final class Certificates {

	public static final String PASSWORD = "changeit";

	private final Path directory;

	private final String authority;

	/**
	 * Makes an authority.
	 */
	public Certificates(Path directory, String authority) {
		this.directory = directory;
		this.authority = authority;
		generate(authority, "CN=" + authority, "-ext", "bc:c", "-ext", "KU=keyCertSign");
		write(authority);
	}

	/**
	 * Makes a certificate and a key: {@code name.pem} and {@code name.key}.
	 * @param name the name of the files
	 * @param alternative whom it is for, as in {@code dns:localhost}
	 */
	public Certificates issue(String name, String alternative) {
		generate(name, "CN=" + name, "-ext", "SAN=" + alternative, "-signer", this.authority);
		write(name);
		return this;
	}

	public Path certificate(String name) {
		return this.directory.resolve(name + ".pem");
	}

	public Path key(String name) {
		return this.directory.resolve(name + ".key");
	}

	/**
	 * The PKCS12 file that holds all of them, with their keys.
	 */
	public Path store() {
		return this.directory.resolve(this.authority + ".p12");
	}

	private void generate(String alias, String subject, String... options) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
						"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", alias, "-keyalg",
						"EC", "-groupname", "secp256r1", "-dname", subject, "-validity", "2", "-storetype", "PKCS12",
						"-keystore", store().toString(), "-storepass", PASSWORD));
		command.addAll(List.of(options));
		try {
			Process keytool = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			if (!keytool.waitFor(30, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
				throw new IllegalStateException("keytool did not make " + alias);
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void write(String alias) {
		try (InputStream input = Files.newInputStream(store())) {
			KeyStore keys = KeyStore.getInstance("PKCS12");
			keys.load(input, PASSWORD.toCharArray());
			write(certificate(alias), "CERTIFICATE", keys.getCertificate(alias).getEncoded());
			write(key(alias), "PRIVATE KEY", keys.getKey(alias, PASSWORD.toCharArray()).getEncoded());
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void write(Path file, String type, byte[] content) throws IOException {
		String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
		Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
	}

}
