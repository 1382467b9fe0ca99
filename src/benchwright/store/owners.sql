-- get: who runs the campaign
SELECT token, file, host, pid, born, since FROM owner WHERE id = 1;
-- take: from now on this process runs it
INSERT OR REPLACE INTO owner (id, token, file, host, pid, born, since)
VALUES (1, :token, :file, :host, :pid, :born, :since);
-- leave: nobody runs it
DELETE FROM owner WHERE id = 1 AND token = :token;
-- token: whose commits are taken
SELECT token FROM owner WHERE id = 1;
