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

/** Since when the delivery of an enabled webhook has been due that has been due for longest; null if none is due. */
export const OLDEST_DUE = `
${WAITING}
select min(d.next_attempt_at) from waiting
join webhooks w on w.id = waiting.webhook_id and w.disabled_reason is null
cross join lateral (
  select next_attempt_at from webhook_deliveries
  where webhook_id = w.id and status = 'pending' order by next_attempt_at limit 1
) as d
where d.next_attempt_at <= now()`;
