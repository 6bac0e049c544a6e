package dev.redlock.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.docs.MarkdownPage.Fence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mistakes in Mermaid diagrams that can be found without drawing them: a kind that
 * does not exist, a block that does not end, an arrow to somebody who does not take part.
 */
class DiagramTests {

	private static final Pattern KIND = Pattern.compile("sequenceDiagram|stateDiagram-v2|flowchart (LR|RL|TB|TD|BT)");

	private static final Pattern OPENS = Pattern.compile("(subgraph|par|alt|opt|loop|critical|rect|box)\\b.*");

	private static final Pattern PARTICIPANT = Pattern.compile("(?:participant|actor) (\\w+)( as .+)?");

	private static final Pattern MESSAGE = Pattern.compile("(\\w+)\\s*--?(?:>>|[>x)])[+-]?\\s*(\\w+)\\s*:.+");

	@Test
	void diagramsHaveAKindEndTheirBlocksAndNameTheirParticipants() {
		List<Fence> diagrams = Repository.pages()
			.stream()
			.flatMap((page) -> page.fences().stream())
			.filter((fence) -> fence.language().equals("mermaid"))
			.toList();
		assertThat(diagrams).isNotEmpty();
		List<String> found = new ArrayList<>();
		diagrams.forEach((fence) -> problems(fence.text()).forEach((text) -> found.add(fence.place() + " " + text)));
		assertThat(found).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "sequencediagram\n", "flowchart LR\n  subgraph J1[one]\n  a --- b\n",
			"sequenceDiagram\n  participant A as one\n  A->>B: hello\n", "flowchart LR\n  a --- b\n  end\n" })
	void mistakesAreFound(String diagram) {
		assertThat(problems(diagram)).hasSize(1);
	}

	private static List<String> problems(String text) {
		List<String> problems = new ArrayList<>();
		List<String> lines = text.lines().map(String::strip).filter((line) -> !line.isEmpty()).toList();
		String kind = lines.isEmpty() ? "" : lines.get(0);
		if (!KIND.matcher(kind).matches()) {
			problems.add("begins with '" + kind + "', which is no kind of diagram that is known here");
		}
		int open = 0;
		Set<String> participants = new HashSet<>();
		for (String line : lines) {
			open += OPENS.matcher(line).matches() ? 1 : line.equals("end") ? -1 : 0;
			Matcher participant = PARTICIPANT.matcher(line);
			Matcher message = MESSAGE.matcher(line);
			if (participant.matches()) {
				participants.add(participant.group(1));
			}
			else if (kind.equals("sequenceDiagram") && message.matches()
					&& !participants.containsAll(List.of(message.group(1), message.group(2)))) {
				problems.add("has a message of somebody who is not declared: " + line);
			}
		}
		if (open != 0) {
			problems.add("has blocks without an end, or ends without a block");
		}
		return problems;
	}

}
