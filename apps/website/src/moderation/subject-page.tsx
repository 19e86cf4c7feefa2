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
  /** Whether to ask the moderator to confirm a ban. */
  readonly asksBan: boolean;
}

/** The page for a decision on one media item or post, with its decision log. */
export function SubjectPage(props: SubjectPageProps): JSX.Element {
  const { subject, revision, title, status, media, decisions, asksBan } = props;
  const { type, target } = subject;
  return (
    <>
      <h1>
        {title ?? `${type === 'media' ? 'Media' : 'Post'} ${target}`} <StatusBadge status={status} />
      </h1>
      <p>
        <a href={pagePathOf(subject)}>View the page</a>
      </p>
      {asksBan && (
        <p class="callout danger">
          A ban withdraws the files. Nobody can upload them again, or pictures that look like them.
          {type === 'post' && ' It applies to all media of the post.'}
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
              {type === 'post' && <a href={`/moderation/media/${one.slug}`}>Decide on {one.slug} only</a>}
            </figcaption>
          </figure>
        ))}
      </div>
      <h2>Decision log</h2>
      <DecisionLog decisions={decisions} namesSubject={false} />
    </>
  );
}
