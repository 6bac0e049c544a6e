package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;

/**
 * Encodes each call only once, although it goes to several nodes. The nodes are asked one
 * after the other, so remembering the last call is enough.
 */
final class ScriptEncoder {

	private final long clockBoundMicros;

	private final long counterRetentionMillis;

	private @Nullable ScriptArguments last;

	ScriptEncoder(NodeSettings settings) {
		this.clockBoundMicros = settings.clockBoundMicros();
		this.counterRetentionMillis = settings.counterRetention().toMillis();
	}

	ScriptArguments encode(ScriptCall call, @Nullable String markerKey) {
		ScriptArguments arguments = this.last;
		if (arguments == null || !arguments.areOf(call, markerKey)) {
			arguments = new ScriptArguments(call, markerKey, this.clockBoundMicros, this.counterRetentionMillis);
			this.last = arguments;
		}
		return arguments;
	}

}
