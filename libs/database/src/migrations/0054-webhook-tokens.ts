import type { Migration } from './migration';

const columns: Migration = {
  name: '0054a_webhook_tokens',
  up: `
alter table webhooks
  add column token_id bigint,
  drop constraint webhooks_disabled_reason_check,
  add constraint webhooks_disabled_reason_check
    check (disabled_reason in ('paused', 'failing', 'gone', 'token_ended', 'password_changed')) not valid;
comment on column webhooks.token_id is 'the API token that created it, or last changed its address or enabled it: it ends with that token. Null: a session did, or the token has ended. No foreign key, because each end of a session or ticket would check it';
`,
};

/** Checks the existing rows; unlike the step before, it takes no lock that blocks writers. */
const reasonsValid: Migration = {
  name: '0054b_webhook_reasons_valid',
  up: 'alter table webhooks validate constraint webhooks_disabled_reason_check',
};

const tokenIndex: Migration = {
  name: '0054c_webhooks_token_idx',
  mode: 'alone',
  up: 'create index concurrently webhooks_token_idx on webhooks (token_id) where token_id is not null',
  repair: 'drop index concurrently if exists webhooks_token_idx',
};

/** Disables the webhooks of a removed token, also if a process of the previous release removes it. */
const tokenEnds: Migration = {
  name: '0054d_token_to_webhooks',
  up: `
create function token_to_webhooks() returns trigger language plpgsql as $$
begin
  with ended as (
    update webhooks set token_id = null, disabled_reason = coalesce(disabled_reason, 'token_ended'),
      disabled_at = coalesce(disabled_at, now())
    where token_id = old.id
    returning id
  )
  update webhook_deliveries d
  set status = 'failed', next_attempt_at = null,
      error = coalesce(error, 'The API token of the webhook ended before this attempt.')
  from ended where d.webhook_id = ended.id and d.status = 'pending';
  return null;
end
$$;
create trigger token_to_webhooks after delete on tokens
  for each row when (old.kind = 'api') execute function token_to_webhooks();
`,
};

/** No events are added for webhooks of suspended accounts and of expired tokens. */
const receivers: Migration = {
  name: '0054e_webhook_receivers',
  up: `
create or replace function add_webhook_deliveries(owner bigint, event_id uuid, event text, occurred_at timestamptz, data json)
  returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data)
  select chosen.id, $2, $3, $4, $5
  from (
    select id from webhooks w
    where user_id = $1 and disabled_reason is null and $3 = any(events)
      and not exists (select from tokens t where t.id = w.token_id and t.expires_at <= now())
      and not exists (select from account_restrictions r
                      where r.user_id = $1 and r.state = 'suspended' and (r.until is null or r.until > now()))
    order by id for key share
  ) as chosen
  on conflict (webhook_id, event_id) do nothing
$$;
`,
};

const limitedMails: Migration = {
  name: '0054f_limited_mails',
  up: `
alter table mails add column limited boolean not null default false;
comment on column mails.limited is 'whether programs can cause such a notice often, so that it counts towards the limit of these';
`,
};

/** A webhook is disabled when its API token ends, and its owner is notified of changes. */
export const webhookTokens: readonly Migration[] = [
  ...[columns, reasonsValid, tokenIndex, tokenEnds, receivers],
  limitedMails,
];
