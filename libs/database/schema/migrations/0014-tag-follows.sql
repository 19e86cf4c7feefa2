create table tag_follows (
  user_id bigint not null references users (id),
  tag_id bigint not null references tags (id),
  created_at timestamptz not null default now(),
  primary key (user_id, tag_id)
);
