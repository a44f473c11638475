-- Why a page was rejected, and what its words had to outweigh.

-- In the unit of confidence; NULL for models whose words do not add up, and for judgements from before.
ALTER TABLE judgements ADD COLUMN border REAL;
-- JSON {rule, topic, needed, found}; NULL where a topic took the page, and for judgements from before.
ALTER TABLE judgements ADD COLUMN rejection TEXT;
