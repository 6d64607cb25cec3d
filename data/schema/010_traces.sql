-- The trace in which an event was caused, for the delivery that continues it. Null where no collector was configured.
ALTER TABLE webhook_events ADD COLUMN trace TEXT;
