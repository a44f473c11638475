-- Stored pages are read as they were when they were fetched: with their wishes, and with their links in place.

-- JSON [directive]: what page and headers ask of robots (nofollow, noarchive, ...); NULL where nothing.
ALTER TABLE documents ADD COLUMN robots TEXT;
-- The element of a link, `feed` for one that leads to a list of addresses; NULL for `a`.
ALTER TABLE links ADD COLUMN tag TEXT;
-- Where the links stand among the words, MessagePack packed with zlib; NULL where that is not known.
ALTER TABLE archive ADD COLUMN layout BLOB;

-- Of the pages stored so far neither wishes nor elements are known, only what their crawl did about their links. What
-- it did not follow is taken for nofollow, and what a `link` element names for a feed where it was taken as a list or
-- not offered at all. A refresh offers no links: for the pages it stored, all crawls are asked.
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
