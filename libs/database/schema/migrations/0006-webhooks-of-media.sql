-- The statements that record the end of processing and delete media also add deliveries.
drop function media_to_webhooks cascade;
