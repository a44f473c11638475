-- Why a page was rejected, and the bias that its words had to outweigh.

-- In units of confidence; NULL for models that are not sums over words, and for earlier judgements.
ALTER TABLE judgements ADD COLUMN border REAL;
-- JSON {rule, topic, needed, found}; NULL if a topic accepted the page, and for earlier judgements.
ALTER TABLE judgements ADD COLUMN rejection TEXT;
