import type { Media } from '@vitrine/client';
import type { ModerationStatus } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { DecisionForm } from './decision-form';
import { type Decision, DecisionLog } from './decision-log';
import { Preview } from './preview';
import { pagePathOf, type Subject } from './queue-item';
import { StatusBadge } from './status-badge';

interface SubjectPageProps {
  readonly subject: Subject;
  /** Of a post. */
  readonly revision?: number | undefined;
  readonly title: string | null;
  readonly status: ModerationStatus;
  readonly media: readonly Media[];
  /** Newest first. */
  readonly decisions: readonly Decision[];
  /** Whether the moderator is on the way to banning it. */
  readonly asksBan: boolean;
}

/** One media or post, what was decided on it, and what can be. */
export function SubjectPage(props: SubjectPageProps): JSX.Element {
  const { subject, revision, title, status, media, decisions, asksBan } = props;
  const { type, target } = subject;
  return (
    <>
      <h1>
        {title ?? `${type === 'media' ? 'Media' : 'Post'} ${target}`} <StatusBadge status={status} />
      </h1>
      <p>
        <a href={pagePathOf(subject)}>Its page</a>
      </p>
      {asksBan && (
        <p class="callout danger">
          A ban withdraws the files, and nobody can upload them again, nor pictures that look like them.
          {type === 'post' && ' It holds for all media of the post.'}
        </p>
      )}
      <DecisionForm
        subject={subject}
        revision={revision}
        isReported={false}
        next={`/moderation/${type}/${target}`}
        bansAtOnce={asksBan}
      />
      <div class="subject-media">
        {media.map((one) => (
          <figure>
            <Preview media={one} />
            <figcaption class="row small">
              <StatusBadge status={one.moderation_status} />
              {type === 'post' && <a href={`/moderation/media/${one.slug}`}>Decide on {one.slug} alone</a>}
            </figcaption>
          </figure>
        ))}
      </div>
      <h2>What was decided</h2>
      <DecisionLog decisions={decisions} namesSubject={false} />
    </>
  );
}
