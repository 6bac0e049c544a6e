package dev.redlock.sample.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the page with the current state in it. So the page is complete before its first
 * event arrives.
 */
@RestController
@FirstJvm
final class PageController {

	private static final String FIRST_FRAME = "FIRST_FRAME";

	private static final String NO_CHAPTER = "";

	private final String page;

	private final Observer observer;

	private final JsonMapper json;

	PageController(@Value("classpath:static/index.html") Resource page, Observer observer, JsonMapper json)
			throws IOException {
		this.page = page.getContentAsString(StandardCharsets.UTF_8);
		this.observer = observer;
		this.json = json;
	}

	@GetMapping(path = { "/", "/index.html" }, produces = "text/html;charset=UTF-8")
	ResponseEntity<String> page() {
		long now = Micros.now();
		Frame frame = new Frame(NO_CHAPTER, now, this.observer.look(now), List.of(), List.of());
		// A text of the state cannot end the element that it stands in.
		String data = this.json.writeValueAsString(frame).replace("<", "\\u003c");
		return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(this.page.replace(FIRST_FRAME, data));
	}

}
