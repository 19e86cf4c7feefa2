create table post_views (
  post_id bigint not null references posts (id) on delete cascade,
  day date not null,
  views bigint not null,
  primary key (post_id, day)
) with (fillfactor = 80);
comment on table post_views is 'views of each post by UTC day, for its owner; old days are removed';
create index post_views_day_idx on post_views (day);
comment on index post_views_day_idx is 'sweep: old days';

create table post_referrers (
  post_id bigint not null references posts (id) on delete cascade,
  host text not null check (char_length(host) <= 100),
  views bigint not null,
  primary key (post_id, host)
) with (fillfactor = 80);
comment on table post_referrers is 'views of each post by the site that led to it; no addresses of pages or people';
