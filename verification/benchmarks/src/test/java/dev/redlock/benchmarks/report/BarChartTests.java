package dev.redlock.benchmarks.report;

import java.io.StringReader;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class BarChartTests {

	@Test
	void barsAreAsLongAsTheirValues() throws Exception {
		BarChart chart = new BarChart("A & <b>", "ratio", 1,
				List.of(new BarChart.Bar("floor", 1, 1, 1, false), new BarChart.Bar("redlock", 2, 1.5, 2.5, true)));
		Document svg = parse(chart.svg());
		assertThat(svg.getDocumentElement().getAttribute("aria-label")).isEqualTo("A & <b>");
		NodeList rects = svg.getElementsByTagName("rect");
		assertThat(rects.getLength()).isEqualTo(3);
		assertThat(width(rects, 2)).isEqualTo(2 * width(rects, 1));
		assertThat(((Element) rects.item(2)).getAttribute("class")).isEqualTo("ours");
	}

	@Test
	void whatWasNotMeasuredHasNoBar() throws Exception {
		BarChart chart = new BarChart("t", "u", Double.NaN,
				List.of(new BarChart.Bar("none", Double.NaN, Double.NaN, Double.NaN, false)));
		Document svg = parse(chart.svg());
		assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(1);
		assertThat(chart.svg()).doesNotContain("NaN").contains("–");
	}

	@Test
	void canBeReadOnADarkPage() {
		assertThat(new BarChart("t", "u", 1, List.of()).svg()).contains("prefers-color-scheme: dark");
	}

	private static double width(NodeList rects, int index) {
		return Double.parseDouble(((Element) rects.item(index)).getAttribute("width"));
	}

	private static Document parse(String svg) throws Exception {
		return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
	}

}
