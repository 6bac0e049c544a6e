package dev.redlock.lettuce.internal.script;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import org.jspecify.annotations.Nullable;

/**
 * Encodes each script call only once, although the call goes to several nodes. The nodes
 * are asked one after the other, so only the last call is remembered.
 */
public final class ScriptEncoder {

	private final NodeSettings settings;

	private @Nullable ScriptArguments last;

	public ScriptEncoder(NodeSettings settings) {
		this.settings = settings;
	}

	public ScriptArguments encode(ScriptCall call, @Nullable String markerKey) {
		ScriptArguments arguments = this.last;
		if (arguments == null || !arguments.areOf(call, markerKey)) {
			arguments = new ScriptArguments(call, markerKey, this.settings);
			this.last = arguments;
		}
		return arguments;
	}

}
