package dev.redlock.docs.snippets;

import dev.redlock.spring.fencing.FenceHeader;
import dev.redlock.spring.fencing.JdbcFenceGuard;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Devices {

	private final JdbcTemplate jdbc;

	private final JdbcFenceGuard guard;

	Devices(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.guard = new JdbcFenceGuard(jdbc, "devices", "id", "fence");
	}

	// region: http-service
	@PutMapping("/devices/{id}")
	@Transactional
	public void write(@PathVariable long id, @RequestHeader(FenceHeader.NAME) FenceHeader fences,
			@RequestBody String state) {
		this.guard.claim(id, fences.require("device:" + id)); // before any read
		this.jdbc.update("update devices set state = ? where id = ?", state, id);
	}
	// endregion

}
