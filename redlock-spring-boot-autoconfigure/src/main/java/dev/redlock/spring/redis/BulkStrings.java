package dev.redlock.spring.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;

/**
 * Parts of a command in the form in which Redis reads them.
 */
final class BulkStrings {

	/** Enough for the arguments of one ordinary lock. */
	private static final int FIRST_SIZE = 256;

	/** A dollar sign, a length, and two ends of a line. */
	private static final int LARGEST_FRAME = 20;

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
		reserve(part.length + LARGEST_FRAME);
		this.bytes[this.length++] = '$';
		putNumber(part.length);
		endLine();
		System.arraycopy(part, 0, this.bytes, this.length, part.length);
		this.length += part.length;
		endLine();
		return this;
	}

	int length() {
		return this.length;
	}

	void write(ByteBuf buffer) {
		buffer.writeBytes(this.bytes, 0, this.length);
	}

	byte[] toBytes() {
		return Arrays.copyOf(this.bytes, this.length);
	}

	private void putNumber(int number) {
		int digits = 1;
		for (int rest = number; rest >= 10; rest /= 10) {
			digits++;
		}
		int rest = number;
		for (int i = this.length + digits - 1; i >= this.length; i--) {
			this.bytes[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		this.length += digits;
	}

	private void endLine() {
		this.bytes[this.length++] = '\r';
		this.bytes[this.length++] = '\n';
	}

	private void reserve(int more) {
		if (this.length + more > this.bytes.length) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(2 * this.bytes.length, this.length + more));
		}
	}

}
