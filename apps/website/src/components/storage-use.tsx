import type { Account } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize, sizeInWords } from './words';

export type StorageUse = Account['storage'];

const format = new Intl.NumberFormat('en');

/** Whether nothing more fits. */
const isStorageUsedUp = (use: StorageUse): boolean =>
  (use.bytes_limit !== null && use.bytes >= use.bytes_limit) ||
  (use.files_limit !== null && use.files >= use.files_limit);

/** What an account stores and how much it may, in words, with a bar for each limit. */
export function StorageUseFacts({ use }: { readonly use: StorageUse }): JSX.Element {
  const { bytes, bytes_limit: bytesLimit, files, files_limit: filesLimit } = use;
  return (
    <div class="stack">
      <p>
        {bytesLimit === null
          ? `Your files use ${sizeInWords(bytes)}.`
          : `Your files use ${sizeInWords(bytes)} of ${sizeInWords(bytesLimit)}.`}
      </p>
      {bytesLimit !== null && <Bar label="Space in use" value={bytes} limit={bytesLimit} />}
      <p>
        {filesLimit === null
          ? `You have ${pluralize(files, 'file')}.`
          : `You have ${format.format(files)} of ${pluralize(filesLimit, 'file')}.`}
      </p>
      {filesLimit !== null && <Bar label="Files in use" value={files} limit={filesLimit} />}
    </div>
  );
}

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
}

const Bar = ({ label, value, limit }: BarProps): JSX.Element => (
  <progress aria-label={label} max={Math.max(1, limit)} value={limit === 0 ? 1 : Math.min(value, limit)} />
);

/** What an upload page says before anything is chosen: nothing if there is no limit. */
export function StorageNote({ use }: { readonly use: StorageUse }): JSX.Element | null {
  if (use.bytes_limit === null && use.files_limit === null) return null;
  if (isStorageUsedUp(use)) {
    return (
      <p class="callout danger" role="alert">
        Your account has no space left. Delete some of your files to make room for new ones.{' '}
        <a href="/settings#storage">See what you use</a>
      </p>
    );
  }
  const left = [
    ...(use.bytes_limit === null ? [] : [sizeInWords(use.bytes_limit - use.bytes)]),
    ...(use.files_limit === null ? [] : [pluralize(use.files_limit - use.files, 'file')]),
  ];
  return <p class="small quiet">You can still store {left.join(' and ')}.</p>;
}
