import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { isVideo, Picture } from '../components/picture';
import { PostForm } from '../components/post-form';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { Page } from '../rendering/page';
import { SettingsFrame } from './settings-frame';

interface AvatarProps {
  /** What the account has uploaded, a page of it. */
  readonly media: AnswerOf<'listUserMedia'>;
  readonly trouble?: FormTrouble;
}

export const avatarPage = (props: AvatarProps): Page =>
  new Page({
    title: 'Choose your picture',
    status: props.trouble?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <ChooseAvatar {...props} />,
  });

function ChooseAvatar({ media, trouble }: AvatarProps): JSX.Element {
  // Other pictures are never shown, or only after they are checked; pictures that are being checked may be chosen.
  const pictures = media.data.filter(
    (one) =>
      !isVideo(one) &&
      ['approved', 'pending'].includes(one.moderation_status) &&
      one.processing_error === null,
  );
  return (
    <SettingsFrame tab="/settings">
      <section class="stack" aria-labelledby="choose">
        <h2 id="choose">Choose your picture</h2>
        <p class="quiet">
          One of those that you have uploaded; its middle is shown, round. Everybody sees it beside your name,
          also where the picture itself is hidden, once it has been checked and found fit for everybody.{' '}
          <a href="/upload">Upload another</a>
        </p>
        <TroubleNote trouble={trouble} fields={[]} />
        {pictures.length === 0 ? (
          <p class="empty">There is no picture of yours here yet.</p>
        ) : (
          <PostForm action="/settings/avatar">
            <input type="hidden" name="page" value={media.meta.current_page} />
            <ul class="plain-list faces">
              {pictures.map((one) => (
                <li>
                  <button name="avatar" value={one.slug} class="face">
                    <Picture
                      media={one}
                      sizes="8rem"
                      alt={one.alt_text ?? one.title ?? `Picture ${one.slug}`}
                    />
                  </button>
                </li>
              ))}
            </ul>
          </PostForm>
        )}
        <Pager meta={media.meta} links={media.links} path="/settings/avatar" />
        <p>
          <a class="button" href="/settings">
            Back to the settings
          </a>
        </p>
      </section>
    </SettingsFrame>
  );
}
