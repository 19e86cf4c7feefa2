import type { Migration } from './migration';

/** The settings in effect of every process, for the page of admins. */
export const processSettings: Migration = {
  name: '0045_process_settings',
  up: `
create table process_settings (
  process text not null,
  instance text not null check (char_length(instance) between 1 and 300),
  settings jsonb not null check (jsonb_array_length(settings) <= 500),
  seen_at timestamptz not null default now(),
  primary key (process, instance)
) with (fillfactor = 70);
comment on table process_settings is 'the settings in effect of each running process, reported every minute';
comment on column process_settings.instance is 'the host, which is the pod in Kubernetes, and the number of the process';
comment on column process_settings.settings is 'values, but of secrets only whether they are set';
`,
};
