import type { AnswerOf, Media } from '@vitrine/client';
import type { DecisionSubject } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Options } from '../components/options';
import { Pager } from '../components/pager';
import { DecisionLog } from './decision-log';

interface DecisionsPageProps {
  readonly log: AnswerOf<'listDecisions'>;
  /** Those of the log that exist. */
  readonly media: readonly Media[];
  readonly type: DecisionSubject | undefined;
  readonly slug: string;
  readonly path: string;
}

const TYPES = [
  ['', 'Everything'],
  ['media', 'Media'],
  ['post', 'Posts'],
  ['user', 'Accounts'],
] as const;

/** The decision log, newest first. */
export function DecisionsPage({ log, media, type = undefined, slug, path }: DecisionsPageProps): JSX.Element {
  const { data, meta, links } = log;
  return (
    <>
      <h1>
        Decisions <span class="quiet">{meta.total}</span>
      </h1>
      <form class="row log-filter" action="/moderation/decisions">
        <label class="field">
          <span>Type</span>
          <select name="type">
            <Options of={TYPES} chosen={type ?? ''} />
          </select>
        </label>
        <label class="field">
          <span>Slug or username</span>
          <input name="slug" value={slug} maxLength={100} size={12} spellcheck={false} autocomplete="off" />
        </label>
        <button class="button">Show</button>
      </form>
      <DecisionLog decisions={data} media={media} namesSubject />
      <Pager meta={meta} links={links} path={path} />
    </>
  );
}
