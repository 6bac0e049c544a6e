CREATE TABLE IF NOT EXISTS redlock_job (
	job_name VARCHAR(255) NOT NULL,
	due TIMESTAMP(6) NOT NULL,
	next_due TIMESTAMP(6) NOT NULL,
	instance VARCHAR(255) NOT NULL,
	fence BIGINT NOT NULL,
	started_at TIMESTAMP(6),
	seen_at TIMESTAMP(6),
	ended_at TIMESTAMP(6),
	outcome VARCHAR(20),
	error VARCHAR(1000),
	PRIMARY KEY (job_name, due, fence)
);

CREATE INDEX IF NOT EXISTS redlock_job_next_due ON redlock_job (next_due);
