package dev.redlock.internal.plan;

import java.util.Base64;
import java.util.Base64.Encoder;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.QuorumStatus;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * Creates lock tokens. A token has 160 random bits, then a separator, then the public
 * label of this process. A token without a label still has the separator, which tells
 * other clients whether this owner announces its releases.
 */
public final class Tokens {

	private static final Pattern PERMITS = Pattern.compile("\\(one of (\\d{1,4}) permits\\)$");

	private static final int RANDOM_BYTES = 20;

	private static final Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private final RandomGenerator random;

	private final String owner;

	public Tokens(RandomGenerator random, String owner) {
		this.random = random;
		this.owner = owner;
	}

	public String next(LockPlan plan) {
		List<LockNode> nodes = plan.nodes();
		List<String> keys = plan.announcedKeys();
		int permits = plan.permits();
		byte[] bytes = new byte[RANDOM_BYTES];
		this.random.nextBytes(bytes);
		int announcing = 0;
		for (LockNode node : nodes) {
			announcing += node.announces(keys) ? 1 : 0;
		}
		boolean announces = announcing >= QuorumStatus.majorityOf(nodes.size());
		return BASE64.encodeToString(bytes) + (announces ? Claim.LABEL : Claim.SILENT_LABEL)
				+ ((permits > 0) ? (this.owner + " " + permitLabel(permits)).strip() : this.owner);
	}

	public static String permitLabel(int permits) {
		return "(one of " + permits + " permits)";
	}

	public static int permits(@Nullable String label) {
		Matcher said = PERMITS.matcher((label != null) ? label : "");
		return said.find() ? Integer.parseInt(said.group(1)) : 0;
	}

}
