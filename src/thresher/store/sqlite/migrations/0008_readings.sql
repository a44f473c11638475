-- Stored pages are read as they were fetched: with their robots directives, and with their links in place.

-- JSON [directive]: robots directives of the page and its headers (nofollow, noarchive, ...); NULL if there are none.
ALTER TABLE documents ADD COLUMN robots TEXT;
-- The element of a link, `feed` if it leads to a feed or sitemap; NULL for `a`.
ALTER TABLE links ADD COLUMN tag TEXT;
-- The positions of the links among the words, MessagePack compressed with zlib; NULL if unknown.
ALTER TABLE archive ADD COLUMN layout BLOB;

-- For pages stored before, neither directives nor elements are known, only what their crawl did with their links. Links
-- that it did not follow count as nofollow; links that it took as lists, or did not offer at all, count as feeds. A
-- refresh offers no links, so for the pages it stored, all crawls are consulted.
UPDATE links SET rel = trim(links.rel || ' nofollow')
FROM urls AS u, documents AS d
WHERE u.state = 5 AND u.reason = 'nofollow' AND links.target = u.id AND d.id = links.source
    AND (u.crawl = d.crawl OR d.crawl IN (SELECT id FROM crawls WHERE kind = 'refresh'))
    AND ' ' || links.rel || ' ' NOT LIKE '% nofollow %';

UPDATE links SET tag = 'feed'
FROM urls AS u
WHERE u.lists > 0 AND links.target = u.id AND ' ' || links.rel || ' ' LIKE '% alternate %';

UPDATE links SET tag = 'feed'
FROM documents AS d
WHERE d.id = links.source AND links.target_url IS NOT NULL AND ' ' || links.rel || ' ' LIKE '% alternate %'
    AND NOT (
        d.crawl IN (SELECT id FROM crawls WHERE kind = 'refresh')
        AND EXISTS (SELECT 1 FROM crawls AS c JOIN urls AS u ON u.crawl = c.id AND u.id = links.target)
    );
