-- The accepted pages of a topic, best first. The condition is repeated word for word in accepted_pages.py: only then
-- does SQLite use the index. SQLite checks `gone` and `robots` again, so they are part of it.
CREATE INDEX documents_accepted ON documents (topic, conf, gone, robots)
    WHERE topic IS NOT NULL AND conf IS NOT NULL AND gone IS NULL AND instr(coalesce(robots, ''), '"noindex"') = 0;
