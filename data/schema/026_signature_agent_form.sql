-- How a merchant reads Signature-Agent of signed requests.
ALTER TABLE merchants ADD COLUMN signature_agent_form TEXT;
