-- What the registry knows of a merchant wins over what an agent says of it.
ALTER TABLE merchants ADD COLUMN mcc TEXT;
ALTER TABLE merchants ADD COLUMN country TEXT;
