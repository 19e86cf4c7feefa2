-- The roles of Vitrine's database. Runs as a superuser in the database vitrine, with the psql variables owner_password and
-- application_password. It can run again: it then sets the passwords again and changes nothing else.
--
--   vitrine              owns the database and its tables; migrations and the operator's tool use it
--   vitrine_application  reads and writes rows, and can create, change or drop nothing; the services use it. It gets these
--                        rights from the owner, by `migrate --grant-to vitrine_application`
select set_config('vitrine.owner_password', :'owner_password', false),
       set_config('vitrine.application_password', :'application_password', false);

do $$
declare
  who text;
begin
  foreach who in array array['vitrine', 'vitrine_application'] loop
    if not exists (select from pg_roles where rolname = who) then
      execute format('create role %I login nosuperuser nocreatedb nocreaterole noreplication', who);
    end if;
  end loop;
  execute format('alter role vitrine password %L', current_setting('vitrine.owner_password'));
  execute format('alter role vitrine_application password %L', current_setting('vitrine.application_password'));
  execute format('alter database %I owner to vitrine', current_database());
end
$$;
