-- Whose touch a passkey's is: that of the user who enrolled it signed in, or of the passkey holder of an agent or a principal. Who made the
-- link that it came by, or enrolled it, is written with it: `user`, `key` or `node`, a space, and the id.
ALTER TABLE passkeys ADD COLUMN made_by TEXT;
ALTER TABLE passkeys ADD COLUMN user_id TEXT;
ALTER TABLE enrollments ADD COLUMN made_by TEXT;
ALTER TABLE approval_touches ADD COLUMN passkey_of TEXT NOT NULL DEFAULT 'user';
-- The one certificate below the root of a mandate issuer that is a person's, who added the issuer, and whose chain a use was of.
ALTER TABLE mandate_issuers ADD COLUMN leaf TEXT;
ALTER TABLE mandate_issuers ADD COLUMN made_by TEXT;
ALTER TABLE mandate_uses ADD COLUMN issuer_id TEXT;
CREATE INDEX agents_by_owner ON agents (tenant_id, owner_user_id, did) WHERE owner_user_id IS NOT NULL;
CREATE INDEX passkeys_by_maker ON passkeys (tenant_id, made_by) WHERE made_by IS NOT NULL;

-- What was enrolled before: its maker stands in the evidence.
/* sqlite only */
UPDATE passkeys SET made_by = named.made_by, user_id = named.user_id FROM (
  SELECT json_extract(used.data, '$.passkeyId') AS id,
    json_extract(COALESCE(link.data, used.data), '$.by.kind') || ' ' || json_extract(COALESCE(link.data, used.data), '$.by.id') AS made_by,
    CASE WHEN json_extract(used.data, '$.enrollmentId') IS NULL AND json_extract(used.data, '$.by.kind') = 'user'
      AND json_extract(used.data, '$.by.credentialId') IS NOT NULL THEN json_extract(used.data, '$.by.id') END AS user_id
  FROM (
    SELECT tenant_id, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS data FROM evidence
    WHERE tenant_id IN (SELECT id FROM tenants) AND event_type = 'HP_REGISTERED'
  ) AS used
  LEFT JOIN (
    SELECT tenant_id, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS data FROM evidence
    WHERE tenant_id IN (SELECT id FROM tenants) AND event_type = 'HP_LINK_CREATED'
  ) AS link ON link.tenant_id = used.tenant_id
    AND json_extract(link.data, '$.enrollmentId') = json_extract(used.data, '$.enrollmentId')
) AS named WHERE passkeys.id = named.id AND passkeys.holder_kind <> 'user';

/* postgres only */
UPDATE passkeys SET made_by = named.made_by, user_id = named.user_id FROM (
  SELECT substring(used.data FROM '"passkeyId":"([^"]+)"') AS id,
    substring(COALESCE(link.data, used.data) FROM '"by":[{][^}]*"kind":"([^"]+)"') || ' ' ||
    substring(COALESCE(link.data, used.data) FROM '"by":[{][^}]*"id":"([^"]+)"') AS made_by,
    CASE WHEN substring(used.data FROM '"enrollmentId":"([^"]+)"') IS NULL
      AND substring(used.data FROM '"by":[{][^}]*"kind":"([^"]+)"') = 'user'
      AND substring(used.data FROM '"by":[{]"credentialId":"([^"]+)"') IS NOT NULL
      THEN substring(used.data FROM '"by":[{][^}]*"id":"([^"]+)"') END AS user_id
  FROM (
    SELECT tenant_id, data FROM evidence WHERE tenant_id IN (SELECT id FROM tenants) AND event_type = 'HP_REGISTERED'
  ) AS used
  LEFT JOIN (
    SELECT tenant_id, data FROM evidence WHERE tenant_id IN (SELECT id FROM tenants) AND event_type = 'HP_LINK_CREATED'
  ) AS link ON link.tenant_id = used.tenant_id
    AND substring(link.data FROM '"enrollmentId":"([^"]+)"') = substring(used.data FROM '"enrollmentId":"([^"]+)"')
) AS named WHERE passkeys.id = named.id AND passkeys.holder_kind <> 'user';

/* sqlite only */
UPDATE enrollments SET made_by = (
  SELECT json_extract(link.data, '$.by.kind') || ' ' || json_extract(link.data, '$.by.id') FROM (
    SELECT tenant_id, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS data FROM evidence
    WHERE tenant_id IN (SELECT id FROM tenants) AND event_type = 'HP_LINK_CREATED'
  ) AS link WHERE link.tenant_id = enrollments.tenant_id AND json_extract(link.data, '$.enrollmentId') = enrollments.id
);

/* postgres only */
UPDATE enrollments SET made_by = (
  SELECT substring(link.data FROM '"by":[{][^}]*"kind":"([^"]+)"') || ' ' || substring(link.data FROM '"by":[{][^}]*"id":"([^"]+)"')
  FROM evidence AS link WHERE link.tenant_id = enrollments.tenant_id AND link.event_type = 'HP_LINK_CREATED'
    AND substring(link.data FROM '"enrollmentId":"([^"]+)"') = enrollments.id
);

UPDATE approval_touches SET passkey_of = holder_kind, approved_by = holder_did
WHERE holder_kind <> 'user' AND passkey_id NOT IN (SELECT id FROM passkeys WHERE user_id IS NOT NULL);
