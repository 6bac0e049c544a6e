package dev.redlock.docs;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LinkTests {

	@Test
	void everyRelativeLinkLeadsToAFileAndAHeading() {
		List<String> broken = new ArrayList<>();
		for (MarkdownPage page : Repository.pages()) {
			page.links()
				.forEach((link, line) -> problem(page, link)
					.ifPresent((why) -> broken.add(page.name() + ":" + line + " (" + link + ") " + why)));
		}
		assertThat(broken).isEmpty();
	}

	@Test
	void everyPageForUsersCanBeReachedFromTheReadme() {
		String index = Repository.read(Repository.ROOT.resolve("README.md"));
		assertThat(Repository.pages()).map(MarkdownPage::name)
			.filteredOn((name) -> name.startsWith("docs/") && !name.startsWith("docs/project/"))
			.allMatch((name) -> index.contains("(" + name + ")"));
	}

	private static Optional<String> problem(MarkdownPage page, String link) {
		if (link.matches("[a-z]+:.*")) {
			return Optional.empty();
		}
		int hash = link.indexOf('#');
		String file = URLDecoder.decode((hash < 0) ? link : link.substring(0, hash), StandardCharsets.UTF_8);
		Path target = file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
		if (!Files.exists(target)) {
			return Optional.of("leads nowhere");
		}
		if (hash >= 0 && target.toString().endsWith(".md")
				&& !MarkdownPage.read(target).anchors().contains(link.substring(hash + 1))) {
			return Optional.of("leads to a page without that heading");
		}
		return Optional.empty();
	}

}
