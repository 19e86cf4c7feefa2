import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';

type Setting = AnswerOf<'listSettings'>['data'][number];

/** The settings in effect of each process, without secrets. */
export function SettingsPage({ settings }: { readonly settings: readonly Setting[] }): JSX.Element {
  const processes = [...new Set(settings.map(({ process }) => process))];
  return (
    <>
      <h1>Settings in effect</h1>
      <p class="quiet">
        Each process reads them from its environment when it starts, and reports them every minute, without
        passwords and keys. For the website, only the settings of the replica that rendered this page are
        shown.
      </p>
      {processes.map((process) => (
        <ProcessSettings process={process} settings={settings.filter((one) => one.process === process)} />
      ))}
    </>
  );
}

interface ProcessSettingsProps {
  readonly process: string;
  readonly settings: readonly Setting[];
}

function ProcessSettings({ process, settings }: ProcessSettingsProps): JSX.Element {
  const replicas = new Set(settings.flatMap(({ instances }) => instances));
  return (
    <details class="card" id={process}>
      <summary>
        <h2 class="inline-heading">{process}</h2> <span class="small quiet">{[...replicas].join(', ')}</span>
      </summary>
      <dl class="setting-list">
        {settings.map(({ name, description, secret, set, value, instances }) => (
          <div>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {value === null || value === '' ? (
                <em>{set ? 'set, not shown' : secret ? 'not set' : 'empty'}</em>
              ) : (
                <code>{value}</code>
              )}
              {instances.length < replicas.size && <span class="small"> only in {instances.join(', ')}</span>}
            </dd>
            <dd class="small quiet">{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
