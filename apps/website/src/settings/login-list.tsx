import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';

export type PastLogin = AnswerOf<'listLogins'>['data'][number];

const METHODS: Readonly<Record<PastLogin['method'], string>> = {
  registration: 'signed up',
  password: 'password',
  provider: 'identity provider',
  passkey: 'passkey',
  reset: 'reset link',
};
const FACTORS: Readonly<Record<NonNullable<PastLogin['second_factor']>, string>> = {
  app: 'authenticator app',
  'recovery-code': 'recovery code',
  passkey: 'passkey',
};

/** Further logins are collapsed. */
const SHOWN = 10;

export function LoginList({ logins }: { readonly logins: readonly PastLogin[] }): JSX.Element {
  const more = logins.slice(SHOWN);
  return (
    <>
      <Logins logins={logins.slice(0, SHOWN)} />
      {more.length > 0 && (
        <details class="more">
          <summary>{more.length} more</summary>
          <Logins logins={more} />
        </details>
      )}
    </>
  );
}

const Logins = ({ logins }: { readonly logins: readonly PastLogin[] }): JSX.Element => (
  <ul class="plain-list entries">
    {logins.map(({ created_at, method, second_factor, device, address, known_device }) => (
      <li class="entry">
        <div>
          <p class="entry-title">
            <strong>{device ?? 'Unknown browser'}</strong>
            {!known_device && <span class="scope">new device</span>}
          </p>
          <p class="small quiet">
            <RelativeTime at={created_at} />
            {` · ${METHODS[method]}${second_factor ? ` and ${FACTORS[second_factor]}` : ''} · ${address}`}
          </p>
        </div>
      </li>
    ))}
  </ul>
);
