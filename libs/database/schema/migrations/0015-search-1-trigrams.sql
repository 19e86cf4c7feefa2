create extension if not exists pg_trgm;
create extension if not exists unaccent;
create function plain(text) returns text language sql immutable strict parallel safe
  return unaccent('unaccent'::regdictionary, $1);
comment on function plain is 'a text without accents; immutable because the dictionary unaccent is not changed';
create function cjk_document(title text, description text, tags text[]) returns tsvector
  language sql immutable parallel safe as $$
  select case when words ~ '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]'
    then to_tsvector('simple'::regconfig, regexp_replace(regexp_replace(words,
      '[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+', '', 'g'), '(.)', '\1 ', 'g'))
    else '' end
  from (select coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || array_to_string(tags, ' ')) as item (words)
$$;
comment on function cjk_document is 'the single letters of Chinese, Japanese and Korean texts, which have no spaces between words';
