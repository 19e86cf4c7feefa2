import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Options } from '../components/options';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { StorageNote, type StorageUse } from '../components/storage-use';
import { isUnlisted } from '../components/tile';
import { pluralize } from '../components/words';
import { PERIOD_NAMES } from '../feed/feed-controls';
import { inBytes } from '../media/media-facts';
import { mediaName, MediaThumb } from '../post-editing/media-thumb';
import { Page } from '../results/page';

export const TYPES = {
  all: 'All types',
  image: 'Pictures',
  animation: 'Animations',
  video: 'Videos',
} as const;
export const USES = { all: 'Used or not', none: 'In no post' } as const;
const { all, ...limited } = PERIOD_NAMES;
export const PERIODS = { all, ...limited };
export const SORTS = { latest: 'Latest first', largest: 'Largest first' } as const;

/** What the page shows; the first of each is the default. */
export interface FileFilters {
  readonly type: keyof typeof TYPES;
  readonly use: keyof typeof USES;
  readonly period: keyof typeof PERIODS;
  readonly sort: keyof typeof SORTS;
}

interface FilesPageProps {
  readonly media: AnswerOf<'listOwnMedia'>;
  readonly filters: FileFilters;
  /** Path and query of this page. */
  readonly path: string;
  readonly storage: StorageUse;
}

export const filesPage = (props: FilesPageProps): Page =>
  new Page({
    title: 'Your files',
    head: { robots: 'noindex' },
    styles: ['editing.css', 'files.css'],
    scripts: ['files.js'],
    width: 'wide',
    body: <FilesPage {...props} />,
  });

function FilesPage({ media, filters, path, storage }: FilesPageProps): JSX.Element {
  return (
    <>
      <h1>Your files</h1>
      <StorageNote use={storage} />
      <form class="row files-filters" action="/files">
        <Choice name="type" label="Type" choices={TYPES} chosen={filters.type} />
        <Choice name="use" label="Use" choices={USES} chosen={filters.use} />
        <Choice name="period" label="Time" choices={PERIODS} chosen={filters.period} />
        <Choice name="sort" label="Order" choices={SORTS} chosen={filters.sort} />
        <button class="button">Show</button>
      </form>
      <p class="small quiet">{pluralize(media.meta.total, 'file')}</p>
      {media.data.length === 0 ? (
        <p class="empty">
          There are no such files. <a href="/upload">Upload</a>
        </p>
      ) : (
        <FilesForm media={media} path={path} />
      )}
      <Pager meta={media.meta} links={media.links} path={path} />
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly chosen: string;
}

const Choice = ({ name, label, choices, chosen }: ChoiceProps): JSX.Element => (
  <label>
    <span class="visually-hidden">{label}</span>
    <select name={name}>
      <Options of={Object.entries(choices)} chosen={chosen} />
    </select>
  </label>
);

/** The files with checkboxes, and what can be done with the chosen ones. `files.js` chooses ranges and counts. */
function FilesForm({ media, path }: Pick<FilesPageProps, 'media' | 'path'>): JSX.Element {
  const { current_page: page, per_page: size } = media.meta;
  return (
    <PostForm action="/files" id="files" class="files">
      <input type="hidden" name="next" value={path} />
      {/* Enter in the field of tags presses the first button. */}
      <button name="action" value="tag" hidden />
      <ul class="plain-list picker-grid">
        {media.data.map((one, index) => {
          const name = mediaName(one, (page - 1) * size + index);
          return (
            <li>
              <label class="picker-item">
                <input type="checkbox" name="media" value={one.slug} />
                <MediaThumb media={one} size={160} />
                <span class="hint" dir="auto">
                  {name}
                </span>
              </label>
              <p class="hint">
                {inBytes(one.size)}, <RelativeTime at={one.created_at} />
                {isUnlisted(one) && ', unlisted'}{' '}
                <a href={`/m/${one.slug}`}>
                  View<span class="visually-hidden"> {name}</span>
                </a>
              </p>
            </li>
          );
        })}
      </ul>
      <div class="files-bar">
        <p class="row">
          <span id="files-count" role="status" />
          <button type="button" class="button" id="files-all" hidden>
            Choose all
          </button>
        </p>
        <div class="row" id="files-actions">
          <button class="button" name="action" value="post">
            New post
          </button>
          <details class="menu" data-menu>
            <summary class="button">Change …</summary>
            <div class="menu-items">
              <label>
                Tags, separated by commas
                <input type="text" name="tags" autocomplete="off" autocapitalize="none" />
              </label>
              <button name="action" value="tag">
                Add tags
              </button>
              <button name="action" value="unlist">
                Make unlisted
              </button>
              <button name="action" value="list">
                Make public
              </button>
            </div>
          </details>
          <details class="menu" data-menu>
            <summary class="button danger">Delete …</summary>
            <div class="menu-items">
              <p>This permanently deletes the chosen files, also from every post.</p>
              <button name="action" value="delete">
                Delete files
              </button>
            </div>
          </details>
        </div>
      </div>
    </PostForm>
  );
}
