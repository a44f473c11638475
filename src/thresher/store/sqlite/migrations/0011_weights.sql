-- The weights of stems, with the pages of each counted in one pass; a join would scan the whole portal for each stem.
DROP VIEW document_weights;
CREATE VIEW document_weights (document, stem, tf, rtf, tf_idf) AS
    SELECT document, stem, tf, rtf,
        tf * ln(CAST((SELECT count(*) FROM document_terms) AS REAL) / count(*) OVER (PARTITION BY stem))
    FROM document_features;
