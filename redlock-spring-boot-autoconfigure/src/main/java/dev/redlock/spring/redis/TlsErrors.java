package dev.redlock.spring.redis;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.Locale;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.NotSslRecordException;
import org.jspecify.annotations.Nullable;

/**
 * Says in words what is wrong when an encrypted connection cannot be made, and what to
 * do.
 */
final class TlsErrors {

	private static final String BUNDLE = " of the instance's ssl.bundle";

	private TlsErrors() {
	}

	/**
	 * What to do about a failure, or null if it has nothing to do with TLS.
	 */
	static @Nullable String explain(Throwable failure) {
		Throwable cause = failure;
		String found = null;
		// Bounded, as a cause may be its own cause's cause. The innermost knows best.
		for (int depth = 0; depth < 20 && cause != null; depth++) {
			String text = text(cause);
			found = (text != null) ? text : found;
			cause = cause.getCause();
		}
		return found;
	}

	/**
	 * Why no connection could be made, in the eyes of TLS. A server does not say that it
	 * was addressed in the wrong way, so that this can only be guessed.
	 */
	static String whileConnecting(Throwable failure) {
		String described = CommandErrors.describe(failure);
		if (described.startsWith("Connection initialization timed out")) {
			return "It accepts connections and does not answer (" + described + "): it is frozen, or it is asked for "
					+ "TLS and does not speak it on this port";
		}
		if (described.startsWith("Connection reset") || described.startsWith("Connection closed prematurely")) {
			return "It ends connections at once (" + described + "): it is going down, or it expects TLS on this port, "
					+ "which the instance's ssl turns on";
		}
		return described;
	}

	private static @Nullable String text(Throwable cause) {
		String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
		if (cause instanceof CertificateExpiredException) {
			return "Its certificate has expired (" + cause.getMessage() + "): renew it";
		}
		if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
			return "Its certificate is not trusted: put the certificate of its authority into " + "the truststore"
					+ BUNDLE;
		}
		if (cause instanceof CertificateException && (message.contains("no name matching")
				|| message.contains("no subject alternative") || message.contains("subject alternative names"))) {
			return "Its certificate is for another host (" + cause.getMessage()
					+ "): use a host name that is in the certificate";
		}
		if (cause instanceof NotSslRecordException) {
			return "It does not speak TLS on this port: remove ssl (or write redis:// for "
					+ "rediss://), or use the port that does";
		}
		return (cause instanceof SSLException) ? alert(message) : null;
	}

	private static @Nullable String alert(String message) {
		if (message.contains("certificate_required") || message.contains("certificate required")
				|| message.contains("handshake_failure")) {
			return "It asks for a certificate of this client: put one, with its key, into the " + "keystore" + BUNDLE;
		}
		if (message.contains("unknown_ca") || message.contains("bad_certificate")
				|| message.contains("certificate_unknown") || message.contains("certificate_expired")
				|| message.contains("access_denied")) {
			return "It does not accept the certificate of this client: take one that its "
					+ "authority (tls-ca-cert-file) has signed into the keystore" + BUNDLE;
		}
		return null;
	}

}
