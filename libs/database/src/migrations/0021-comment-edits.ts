import type { Migration } from './migration';

/** Comments can be edited by their authors, and webhooks of the post's owner receive the event. */
export const commentEdits: Migration = {
  name: '0021_comment_edits',
  up: `
alter table comments add column edited_at timestamptz;
comment on column comments.edited_at is 'when its author last changed its content; null: never, or a tombstone';

create or replace function outbox_to_webhooks() returns trigger language plpgsql as $$
declare
  kind constant text := new.envelope ->> 'type';
  data json := new.envelope -> 'data';
  owner bigint;
begin
  case kind
    when 'media.uploaded', 'media.moderated' then
      select user_id into owner from media where id = (data ->> 'media_id')::bigint;
    when 'post.created', 'post.deleted' then
      owner := (data ->> 'user_id')::bigint;
    when 'post.updated' then
      select user_id into owner from posts where id = (data ->> 'post_id')::bigint;
    when 'comment.created', 'comment.updated', 'comment.deleted' then
      select user_id into owner from posts
      where id = (data ->> 'post_id')::bigint and user_id is distinct from (data ->> 'user_id')::bigint;
    when 'user.followed' then
      owner := (data ->> 'followee_id')::bigint;
      data := (select json_build_object('username', username) from users where id = (data ->> 'follower_id')::bigint);
    else return null;
  end case;
  if owner is not null and data is not null then
    perform add_webhook_deliveries(owner, (new.envelope ->> 'id')::uuid, kind,
      (new.envelope ->> 'occurred_at')::timestamptz, data);
  end if;
  return null;
end
$$;
`,
};
