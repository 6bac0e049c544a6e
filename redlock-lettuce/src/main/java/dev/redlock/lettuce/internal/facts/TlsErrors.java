package dev.redlock.lettuce.internal.facts;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.NotSslRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why an encrypted connection to a Redis server failed, and what a person should
 * do.
 */
final class TlsErrors {

	private static final String BUNDLE = " of the instance's ssl.bundle";

	private TlsErrors() {
	}

	/**
	 * Returns what to do about a connection failure, or null if TLS is not its cause.
	 */
	static @Nullable String explain(List<Throwable> causes) {
		String explanation = null;
		for (Throwable cause : causes) {
			String text = text(cause);
			// The innermost cause that has an explanation gives the most precise advice.
			explanation = (text != null) ? text : explanation;
		}
		return explanation;
	}

	private static @Nullable String text(Throwable cause) {
		String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
		if (cause instanceof CertificateExpiredException) {
			return "The server's certificate has expired (" + cause.getMessage() + "): renew the certificate";
		}
		if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
			return "The server's certificate is not trusted: put its issuer's certificate into the truststore" + BUNDLE;
		}
		if (cause instanceof CertificateException && (message.contains("no name matching")
				|| message.contains("no subject alternative") || message.contains("subject alternative names"))) {
			return "The server's certificate is for another host (" + cause.getMessage()
					+ "): use a host name that is in the certificate";
		}
		if (cause instanceof NotSslRecordException) {
			return "The server does not speak TLS on this port: remove ssl (or write redis:// for rediss://), or use "
					+ "the TLS port of the server";
		}
		return (cause instanceof SSLException) ? alert(message) : null;
	}

	private static @Nullable String alert(String message) {
		if (message.contains("certificate_required") || message.contains("certificate required")
				|| message.contains("handshake_failure")) {
			return "The server asks for a certificate of this client: put one and its key into the keystore" + BUNDLE;
		}
		if (message.contains("unknown_ca") || message.contains("bad_certificate")
				|| message.contains("certificate_unknown") || message.contains("certificate_expired")
				|| message.contains("access_denied")) {
			return "The server does not accept the certificate of this client: put a certificate that the server's "
					+ "authority (tls-ca-cert-file) has signed into the keystore" + BUNDLE;
		}
		return null;
	}

}
