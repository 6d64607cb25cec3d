-- How an approval was decided, for the page that was open meanwhile: passkey, link, operator or agent.
ALTER TABLE approval_requests ADD COLUMN decided_by TEXT;
