package dev.redlock.docs;

import java.util.ArrayList;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@code pom.xml} as it is written, without what it inherits.
 *
 * @param module the folder that it is in
 * @param document its content
 */
record Pom(String module, Document document) {

	static Pom of(String module) {
		try {
			return new Pom(module,
					DocumentBuilderFactory.newInstance()
						.newDocumentBuilder()
						.parse(Repository.ROOT.resolve(module).resolve("pom.xml").toFile()));
		}
		catch (Exception ex) {
			throw new IllegalStateException("Could not read the pom of " + module, ex);
		}
	}

	/**
	 * The text of the one element that is there.
	 */
	String text(String path) {
		assertThat(texts(path)).as("%s of %s", path, this.module).hasSize(1);
		return texts(path).get(0);
	}

	List<String> texts(String path) {
		try {
			NodeList nodes = (NodeList) XPathFactory.newInstance()
				.newXPath()
				.evaluate(path, this.document, XPathConstants.NODESET);
			List<String> texts = new ArrayList<>();
			for (int i = 0; i < nodes.getLength(); i++) {
				texts.add(nodes.item(i).getTextContent().strip());
			}
			return texts;
		}
		catch (Exception ex) {
			throw new IllegalStateException("Could not look for " + path + " in the pom of " + this.module, ex);
		}
	}

}
