import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

/** The only page that shows recovery codes. */
export const recoveryCodesPage = (codes: readonly string[]): Page =>
  new Page({
    title: 'Your recovery codes',
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <RecoveryCodes codes={codes} />,
  });

const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }): JSX.Element => (
  <SettingsFrame tab="/settings/security">
    <section class="card stack" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">Your recovery codes</h2>
      <p class="callout">
        <strong>Keep these codes: they are shown only once.</strong> If you lose your phone or passkey, each
        code replaces it for one login.
      </p>
      <ol class="recovery-codes" id="codes">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p class="row">
        <button type="button" class="button" data-copy="codes" hidden>
          <Icon name="copy" />
          Copy the codes
        </button>
        <a class="button primary" href="/settings/security">
          I have kept them
        </a>
      </p>
    </section>
  </SettingsFrame>
);
