-- The services write banned_hashes_version and the entries of decisions in audit_log.
drop function raise_banned_hashes_version cascade;
drop function audit_decision cascade;
drop function audited_decision;
drop trigger audit_log_append_only on audit_log;
drop trigger audit_log_no_truncate on audit_log;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
