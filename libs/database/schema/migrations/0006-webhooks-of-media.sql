-- The statements that record the end of processing and delete media also add deliveries.
drop trigger media_deleted_to_webhooks on media;
drop trigger media_processed_to_webhooks on media;
drop function media_to_webhooks;
