package dev.redlock.internal.plan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import dev.redlock.spi.Claim;

/**
 * What another process needs to carry on a detached lease. A ticket is a secret, because
 * it contains the token of the lease.
 *
 * @param nodes the names of the nodes that voted; empty for the ticket of a process in
 * which locks are turned off
 * @param longestTtl the longest ttl that was sent to a node for the lease
 */
public record Ticket(List<String> resources, List<String> nodes, String keyPrefix, String token, long fence,
		Duration longestTtl) {

	private static final String VERSION = "v1.";

	private static final String UNREADABLE = "This text is not the ticket of a detached lease, or a part of the "
			+ "ticket is missing. Pass the whole text that Lease.detach() returned.";

	public Ticket {
		resources = List.copyOf(resources);
		nodes = List.copyOf(nodes);
		if (resources.isEmpty() || token.isEmpty() || fence <= Claim.UNFENCED || longestTtl.toMillis() < 1) {
			throw new IllegalArgumentException(UNREADABLE);
		}
	}

	/**
	 * Reads the text of a ticket.
	 * @throws IllegalArgumentException if the text is no ticket; the message does not
	 * contain the text
	 */
	public static Ticket parse(String text) {
		if (text.matches("(?s)v\\d{1,9}\\..*") && !text.startsWith(VERSION)) {
			throw new IllegalArgumentException(
					"A newer version of the library has made this ticket. Update the library "
							+ "in this application before applications that detach leases.");
		}
		if (!text.startsWith(VERSION)) {
			throw new IllegalArgumentException(UNREADABLE);
		}
		try (DataInputStream in = new DataInputStream(
				new ByteArrayInputStream(Base64.getUrlDecoder().decode(text.substring(VERSION.length()))))) {
			Ticket ticket = new Ticket(names(in), names(in), in.readUTF(), in.readUTF(), in.readLong(),
					Duration.ofMillis(in.readLong()));
			if (in.read() >= 0) {
				throw new IllegalArgumentException(UNREADABLE);
			}
			return ticket;
		}
		catch (IOException | IllegalArgumentException ex) {
			// The cause is left out, because it may quote a part of the ticket.
			throw new IllegalArgumentException(UNREADABLE);
		}
	}

	/**
	 * Returns the secret text of the ticket.
	 */
	public String text() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (DataOutputStream out = new DataOutputStream(bytes)) {
			write(out, this.resources);
			write(out, this.nodes);
			out.writeUTF(this.keyPrefix);
			out.writeUTF(this.token);
			out.writeLong(this.fence);
			out.writeLong(this.longestTtl.toMillis());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return VERSION + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
	}

	/**
	 * Shows the names, but never the secret token.
	 */
	@Override
	public String toString() {
		return "Ticket" + this.resources;
	}

	private static List<String> names(DataInputStream in) throws IOException {
		List<String> names = new ArrayList<>();
		for (int left = in.readUnsignedShort(); left > 0; left--) {
			names.add(in.readUTF());
		}
		return names;
	}

	private static void write(DataOutputStream out, List<String> names) throws IOException {
		out.writeShort(names.size());
		for (String name : names) {
			out.writeUTF(name);
		}
	}

}
