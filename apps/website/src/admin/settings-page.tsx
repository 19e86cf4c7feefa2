import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';

interface SettingsPageProps {
  readonly settings: AnswerOf<'listSettings'>['data'];
}

/** The settings in effect, without secrets. */
export function SettingsPage({ settings }: SettingsPageProps): JSX.Element {
  return (
    <>
      <h1>Settings in effect</h1>
      <p class="quiet">
        Those of the API’s process. They are set in its environment and change with a restart.
      </p>
      <dl class="setting-list">
        {settings.map(({ name, description, secret, set, value }) => (
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
            </dd>
            <dd class="small quiet">{description}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
