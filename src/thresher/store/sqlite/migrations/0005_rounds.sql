-- Rounds of retraining, people's decisions about archetypes, and repeated judgements.

-- JSON: the result of a round of retraining; NULL for a model that was trained on people's own pages alone.
ALTER TABLE classifiers ADD COLUMN report TEXT;
-- 1 if the model is not used: it made the topics worse, or a person went back to an earlier one.
ALTER TABLE classifiers ADD COLUMN rolled_back INTEGER NOT NULL DEFAULT 0;

-- Pages proposed for training a topic; `state` is proposed, accepted or rejected.
CREATE TABLE archetypes (
    topic      TEXT NOT NULL,
    url        TEXT NOT NULL,
    rule       TEXT NOT NULL,
    confidence REAL NOT NULL,
    authority  REAL NOT NULL,
    state      TEXT NOT NULL,
    at         REAL NOT NULL,
    PRIMARY KEY (topic, url)
) STRICT, WITHOUT ROWID;
