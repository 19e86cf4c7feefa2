import type { Migration } from './migration';

/**
 * The log of everything that staff does. Rulings are already rows of `moderation_decisions`: a trigger adds an entry that
 * refers to the decision and repeats nothing of it, in the same transaction, whichever release writes the decision.
 */
const auditLog: Migration = {
  name: '0039a_audit_log',
  up: `
create table audit_log (
  id bigint generated always as identity primary key,
  actor_id bigint,
  action text not null check (action ~ '^[a-z]{1,20}[.][a-z_]{1,29}$'),
  subject_type text not null check (subject_type ~ '^[a-z]{1,20}$'),
  subject_id bigint,
  subject_name text not null check (char_length(subject_name) between 1 and 200),
  detail jsonb check (octet_length(detail::text) <= 4000),
  decision_id bigint,
  created_at timestamptz not null default now(),
  constraint audit_log_decision_key unique (decision_id)
);
comment on table audit_log is 'append-only: everything that staff did, on the site, by the API and on the command line';
comment on column audit_log.actor_id is 'the account of staff; null: the operator, on the command line';
comment on column audit_log.subject_name is 'the name when it was done: a username, a slug, a hash; it stays when the subject goes';
comment on column audit_log.decision_id is 'the row of moderation_decisions that says the rest';
create index audit_log_time_idx on audit_log (created_at, id);
comment on index audit_log_time_idx is 'the log, newest first';
create index audit_log_actor_idx on audit_log (actor_id, created_at, id);
comment on index audit_log_actor_idx is 'what one person, or the operator, did';
create index audit_log_action_idx on audit_log (action, created_at, id);
comment on index audit_log_action_idx is 'the entries of one action';
create index audit_log_subject_idx on audit_log (lower(subject_name), created_at, id);
comment on index audit_log_subject_idx is 'what was done to one subject';

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

create table audit_addresses (
  entry_id bigint primary key references audit_log (id),
  actor_id bigint not null,
  address inet not null
);
comment on table audit_addresses is 'from where staff acted; not in the log itself, so that it can be erased with the account';
create index audit_addresses_actor_idx on audit_addresses (actor_id);
comment on index audit_addresses_actor_idx is 'erase: the addresses of one account';

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
`,
};

/** Entries for the decisions of staff before this release, the newest first: the trigger adds those that follow. */
const earlierDecisions: Migration = {
  name: '0039b_audit_earlier_decisions',
  mode: 'batches',
  up: `
insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, decision_id, created_at)
select a.actor_id, a.action, a.subject_type, a.subject_id, a.subject_name, a.decision_id, a.created_at
from (
  select * from moderation_decisions
  where decided_by in ('moderator', 'operator')
    and id < coalesce((select min(decision_id) from audit_log), 9223372036854775807)
  order by id desc limit 1000
) d cross join lateral audited_decision(d.*::moderation_decisions) a`,
};

/** The steps in their order. */
export const auditLogSteps: readonly Migration[] = [auditLog, earlierDecisions];
