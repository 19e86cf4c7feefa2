-- Undoes the migrations: makes the schema before them of that of the schema files.

create function raise_banned_hashes_version() returns trigger language plpgsql as $$
begin
  update banned_hashes_version set version = version + 1;
  return null;
end
$$;
create trigger banned_hashes_changed after insert or update or delete or truncate on banned_hashes
  for each statement execute function raise_banned_hashes_version();

create function audited_decision(d moderation_decisions) returns audit_log language sql immutable as $$
  select null::bigint, d.decided_by_user_id,
         case when d.reason = 'application' then 'application.decide' else d.subject || '.rule' end,
         d.subject, d.subject_id, d.slug, null::jsonb, d.id, d.created_at
$$;

create function audit_decision() returns trigger language plpgsql as $$
begin
  insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, decision_id, created_at)
  select a.actor_id, a.action, a.subject_type, a.subject_id, a.subject_name, a.decision_id, a.created_at
  from audited_decision(new) a;
  return null;
end
$$;
create trigger moderation_decisions_audited after insert on moderation_decisions
  for each row when (new.decided_by in ('moderator', 'operator')) execute function audit_decision();
drop trigger audit_log_append_only on audit_log;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
