package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parts of a command in the form in which Redis reads them.
 */
final class BulkStrings {

	private static final int FIRST_SIZE = 256;

	private byte[] bytes = new byte[FIRST_SIZE];

	private int length;

	/**
	 * What stands before the parts of a command.
	 */
	static byte[] header(int parts) {
		return ("*" + parts + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	BulkStrings add(long number) {
		return add(Long.toString(number));
	}

	BulkStrings add(String text) {
		byte[] part = text.getBytes(StandardCharsets.UTF_8);
		put('$');
		put(Integer.toString(part.length).getBytes(StandardCharsets.US_ASCII));
		endOfLine();
		put(part);
		endOfLine();
		return this;
	}

	byte[] toBytes() {
		return Arrays.copyOf(this.bytes, this.length);
	}

	private void endOfLine() {
		put('\r');
		put('\n');
	}

	private void put(char sign) {
		reserve(1);
		this.bytes[this.length++] = (byte) sign;
	}

	private void put(byte[] part) {
		reserve(part.length);
		System.arraycopy(part, 0, this.bytes, this.length, part.length);
		this.length += part.length;
	}

	private void reserve(int more) {
		if (this.length + more > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(2 * this.bytes.length, this.length + more));
		}
	}

}
