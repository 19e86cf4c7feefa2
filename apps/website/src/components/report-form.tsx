import type { BodyOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Options } from './options';
import { useVisit } from './visit-context';
import { Icon } from './icon';
import { PostForm } from './post-form';

type Report = BodyOf<'createReport'>;

/** The API's reasons for a report, with their labels. */
export const REPORT_REASONS: readonly (readonly [reason: Report['reason'], words: string])[] = [
  ['spam', 'Spam or advertising'],
  ['abuse', 'Harassment or hate'],
  ['nsfw', 'Unmarked adult content'],
  ['illegal', 'Illegal content'],
  ['copyright', 'Copyright infringement'],
  ['other', 'Something else'],
];

interface ReportFormProps {
  readonly type: Report['type'];
  /** Slug of a media item or post, id of a comment, username. */
  readonly target: string | number;
  /** The key of a private post. */
  readonly accessKey?: string | undefined;
}

/** The form that reports an item to the moderators; collapsed until it is opened. */
export function ReportForm({ type, target, accessKey }: ReportFormProps): JSX.Element {
  const { viewer, visit } = useVisit();
  const words = (
    <>
      <Icon name="flag" />
      <span>
        Report<span class="visually-hidden"> this {type}</span>
      </span>
    </>
  );
  if (!viewer) {
    const query = new URLSearchParams({
      type,
      target: String(target),
      next: visit.path,
      ...(accessKey !== undefined && { key: accessKey }),
    });
    return (
      <a class="button quiet-button" href={`/reports?${query.toString()}`} rel="nofollow">
        {words}
      </a>
    );
  }
  return (
    <details class="fold report" data-menu>
      <summary class="button quiet-button">{words}</summary>
      <PostForm action="/reports" class="fold-body" data-enhance="report">
        <ReportFields type={type} target={target} next={visit.path} accessKey={accessKey} />
        <button class="button primary">Send report</button>
      </PostForm>
    </details>
  );
}

interface ReportFieldsProps {
  readonly type: string;
  readonly target: string | number;
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  readonly accessKey?: string | undefined;
  /** The slug of the post of a comment. */
  readonly post?: string | undefined;
  readonly reason?: string;
  readonly details?: string;
}

/** The fields of a report. */
export function ReportFields({
  type,
  target,
  next,
  accessKey,
  post,
  reason,
  details,
}: ReportFieldsProps): JSX.Element {
  return (
    <>
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="target" value={target} />
      <input type="hidden" name="next" value={next} />
      {accessKey !== undefined && <input type="hidden" name="key" value={accessKey} />}
      {post !== undefined && <input type="hidden" name="post" value={post} />}
      <label class="field">
        <span>What is wrong with this {type}?</span>
        <select name="reason" required>
          <Options of={REPORT_REASONS} chosen={reason} />
        </select>
      </label>
      <label class="field">
        <span>Details (optional)</span>
        <textarea name="details" rows={3} maxLength={MAX_LENGTHS.reason}>
          {details}
        </textarea>
      </label>
    </>
  );
}
