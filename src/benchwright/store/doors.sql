-- set_up: the desk's key, and where it is served now; the key stays once it is there
INSERT INTO desk (id, secret, address) VALUES (1, :secret, :address)
ON CONFLICT (id) DO UPDATE SET address = :address;
-- desk: the desk's key, and where it was served last
SELECT secret, address FROM desk WHERE id = 1;
-- make_link: a link that lets somebody in once
INSERT INTO desk_links (digest, name) VALUES (:digest, :name);
-- link: whose a link is, and whether it was used
SELECT name, used FROM desk_links WHERE digest = :digest;
-- use_link: a link lets this person in, unless it has let somebody in before
UPDATE desk_links SET used = 1, name = :name WHERE digest = :digest AND used = 0;
-- begin: a browser is let in
INSERT INTO desk_sessions (digest, who, until) VALUES (:digest, :who, :until);
-- session: who a browser is let in as
SELECT who FROM desk_sessions WHERE digest = :digest AND until > :now;
-- leave: a browser is let in no more
DELETE FROM desk_sessions WHERE digest = :digest;
-- forget: the browsers whose time is over
DELETE FROM desk_sessions WHERE until <= :now;
-- people: who is let in
SELECT DISTINCT who FROM desk_sessions;
-- draft: what somebody has typed on a card
INSERT INTO desk_drafts (who, card, given) VALUES (:who, :card, :given)
ON CONFLICT (who, card) DO UPDATE SET given = :given;
-- drafted: what somebody had typed on a card
SELECT given FROM desk_drafts WHERE who = :who AND card = :card;
-- drop: what somebody had typed is decided, or empty
DELETE FROM desk_drafts WHERE who = :who AND card = :card;
