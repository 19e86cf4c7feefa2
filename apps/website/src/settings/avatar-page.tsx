import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { isVideo, Picture } from '../components/picture';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { useVisit } from '../components/visit-context';
import { FormProblemNote } from '../components/form-problem-note';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

interface AvatarProps {
  /** The account's username. */
  readonly as: string;
  /** One page of the account's uploads. */
  readonly media: AnswerOf<'listUserMedia'>;
  readonly problem?: FormProblem;
}

export const avatarPage = (props: AvatarProps): Page =>
  new Page({
    title: 'Choose a profile picture',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css', 'cropping.css'],
    scripts: ['avatar.js'],
    secret: true,
    body: <ChooseAvatar {...props} />,
  });

function ChooseAvatar({ as, media, problem }: AvatarProps): JSX.Element {
  const { urls } = useVisit();
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
          It is shown in a circle beside your name. Everyone can see it once it has been checked and approved,
          even if the picture itself is unlisted.
        </p>
        <FormProblemNote problem={problem} fields={[]} />
        <PostForm
          action="/settings/avatar"
          id="avatar-form"
          class="needs-scripts"
          data-upload-url={urls.upload}
        >
          <input type="hidden" name="avatar" value="" />
          <label class="field">
            Choose a picture from this device
            <input type="file" accept="image/*" />
          </label>
          <p role="status" />
        </PostForm>
        <PostForm action="/upload/ticket" id="ticket-form" hidden>
          <input type="hidden" name="as" value={as} />
        </PostForm>
        <h3>Choose one of your uploads</h3>
        <p class="quiet">
          The centre of the picture is shown. <a href="/upload">Upload another</a>
        </p>
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
