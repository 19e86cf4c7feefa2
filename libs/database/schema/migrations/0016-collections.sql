create table collections (
  id bigint generated always as identity primary key,
  slug text not null check (slug ~ '^[A-Za-z0-9]{7}$' and slug ~ '[A-Za-z]'),
  user_id bigint not null references users (id),
  name text check (char_length(name) between 1 and 100),
  visibility text not null default 'private' check (visibility in ('private', 'hidden')),
  created_at timestamptz not null default now(),
  constraint collections_slug_key unique (slug)
);
comment on column collections.name is 'null for the collection of saved posts that every account has';
comment on column collections.visibility is 'hidden: everyone who knows the slug sees it';
create unique index collections_saved_key on collections (user_id) where name is null;
comment on index collections_saved_key is 'the saved posts of an account';
create index collections_user_idx on collections (user_id, id);
comment on index collections_user_idx is 'the collections of one account';

create table collection_posts (
  id bigint generated always as identity primary key,
  collection_id bigint not null references collections (id) on delete cascade,
  post_id bigint not null references posts (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint collection_posts_key unique (collection_id, post_id)
);
create index collection_posts_list_idx on collection_posts (collection_id, id);
comment on index collection_posts_list_idx is 'posts of a collection, the latest first';
create index collection_posts_post_idx on collection_posts (post_id);
comment on index collection_posts_post_idx is 'what goes with a post';
