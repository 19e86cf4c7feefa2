import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { isVideo, Picture } from '../components/picture';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

interface AvatarProps {
  /** One page of the account's uploads. */
  readonly media: AnswerOf<'listUserMedia'>;
  readonly problem?: FormProblem;
}

export const avatarPage = (props: AvatarProps): Page =>
  new Page({
    title: 'Choose a profile picture',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <ChooseAvatar {...props} />,
  });

function ChooseAvatar({ media, problem }: AvatarProps): JSX.Element {
  // Only these can be chosen; a picture that is still being checked is shown to others once it is approved.
  const pictures = media.data.filter(
    (one) =>
      !isVideo(one) &&
      ['approved', 'pending'].includes(one.moderation_status) &&
      one.processing_error === null,
  );
  return (
    <SettingsFrame tab="/settings">
      <section class="stack" aria-labelledby="choose">
        <h2 id="choose">Choose a profile picture</h2>
        <p class="quiet">
          Choose one of your uploads. Its centre is shown in a circle beside your name. Everyone can see it
          once it has been checked and approved, even if the picture itself is hidden.{' '}
          <a href="/upload">Upload another</a>
        </p>
        <FormProblemNote problem={problem} fields={[]} />
        {pictures.length === 0 ? (
          <p class="empty">You have no pictures yet.</p>
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
            Back to settings
          </a>
        </p>
      </section>
    </SettingsFrame>
  );
}
