CREATE TABLE IF NOT EXISTS redlock_job (
	job_name VARCHAR(255) NOT NULL,
	due DATETIME(6) NOT NULL,
	next_due DATETIME(6) NOT NULL,
	instance VARCHAR(255) NOT NULL,
	fence BIGINT NOT NULL,
	started_at DATETIME(6) NULL,
	seen_at DATETIME(6) NULL,
	ended_at DATETIME(6) NULL,
	outcome VARCHAR(20),
	error VARCHAR(1000),
	PRIMARY KEY (job_name, due, fence),
	INDEX redlock_job_next_due (next_due)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
