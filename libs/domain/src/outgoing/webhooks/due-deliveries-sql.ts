import { isSuspended } from '../../base/queries/restriction-sql';

/**
 * The webhooks with pending deliveries. It jumps in the index from one to the next, so that the cost doesn't depend on
 * how many deliveries each of them has, nor on how many webhooks have none.
 */
export const WAITING = `
with recursive waiting (webhook_id) as (
  (select webhook_id from webhook_deliveries where status = 'pending' order by webhook_id limit 1)
  union all
  select (
    select d.webhook_id from webhook_deliveries d
    where d.status = 'pending' and d.webhook_id > w.webhook_id order by d.webhook_id limit 1
  )
  from waiting w where w.webhook_id is not null
)`;

/** The condition that a webhook `w` gets deliveries now: it is enabled, and its account is not suspended. */
export const RECEIVES = `w.disabled_reason is null and not ${isSuspended('w.user_id')}`;

/** Since when the oldest delivery that may be sent now has been due; null if none is due. */
export const OLDEST_DUE = `
${WAITING}
select min(d.next_attempt_at) from waiting
join webhooks w on w.id = waiting.webhook_id and ${RECEIVES}
cross join lateral (
  select next_attempt_at from webhook_deliveries
  where webhook_id = w.id and status = 'pending' order by next_attempt_at limit 1
) as d
where d.next_attempt_at <= now()`;
