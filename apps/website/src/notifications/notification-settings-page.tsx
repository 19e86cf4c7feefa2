import type { AnswerOf } from '@vitrine/client';
import {
  type NotificationMails,
  OPTIONAL_NOTIFICATION_KINDS,
  type OptionalNotificationKind,
} from '@vitrine/contracts';
import { Options } from '../components/options';
import { PostForm } from '../components/post-form';
import { Page } from '../results/page';
import { SettingsFrame } from '../settings/settings-frame';

const LABELS: Readonly<Record<OptionalNotificationKind, string>> = {
  comment: 'Comments on your posts',
  reply: 'Replies to your comments',
  mention: 'Comments and posts that name you with @',
  follow: 'New followers',
  post: 'New posts of people whom you follow',
  moderation: 'Results of moderation on your posts, pictures and videos',
};

const MAILS: Readonly<Record<NotificationMails, string>> = {
  never: 'Never',
  hourly: 'At most once an hour',
  daily: 'At most once a day',
};

/** Which notifications the viewer wants. */
export const notificationSettingsPage = (settings: AnswerOf<'getNotificationSettings'>['data']): Page =>
  new Page({
    title: 'Notifications',
    styles: ['account.css'],
    head: { robots: 'noindex' },
    body: (
      <SettingsFrame tab="/settings/notifications">
        <section class="card" aria-labelledby="kinds">
          <h2 id="kinds">Notifications</h2>
          <PostForm action="/settings/notifications" class="stack">
            <fieldset class="choices">
              <legend>Notify me of</legend>
              {OPTIONAL_NOTIFICATION_KINDS.map((kind) => (
                <div class="choice">
                  <input
                    type="checkbox"
                    id={`kind-${kind}`}
                    name="kinds"
                    value={kind}
                    checked={settings[kind]}
                  />
                  <label for={`kind-${kind}`}>{LABELS[kind]}</label>
                </div>
              ))}
            </fieldset>
            <label class="field">
              <span>Unread notifications by mail</span>
              <select name="mail">
                <Options of={Object.entries(MAILS)} chosen={settings.mail} />
              </select>
              <span class="hint">Mails go to your confirmed address.</span>
            </label>
            <p class="small quiet">You are always notified when staff change something about your account.</p>
            <button class="button primary">Save</button>
          </PostForm>
        </section>
      </SettingsFrame>
    ),
  });
