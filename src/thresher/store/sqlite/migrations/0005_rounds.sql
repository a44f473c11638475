-- Rounds of retraining, what a person says of archetypes, and judgements made anew.

-- JSON: what a round of retraining did; NULL for a model that was trained on a person's pages alone.
ALTER TABLE classifiers ADD COLUMN report TEXT;
-- 1 where the model is not to be used: it made the topics worse, or a person went back behind it.
ALTER TABLE classifiers ADD COLUMN rolled_back INTEGER NOT NULL DEFAULT 0;

-- Pages proposed to teach a topic; `state` is proposed, accepted or rejected.
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
