import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { pluralize, sizeInWords } from '../components/words';
import { BarChart } from '../components/bar-chart';
import { GrowthChart } from './growth-chart';

type Stored = AnswerOf<'getStorage'>['data'];

const KINDS: Readonly<Record<Stored['kinds'][number]['kind'], string>> = { image: 'Images', video: 'Videos' };

const bar = (name: string, bytes: number): { name: string; value: number; shown: string } => ({
  name,
  value: bytes,
  shown: sizeInWords(bytes),
});

/** What is stored, how it grows, and who stores the most. */
export function StoragePage({ stored }: { readonly stored: Stored }): JSX.Element {
  const { files, bytes, variant_bytes: variantBytes, bytes_limit: limit, days } = stored;
  const total = bytes + variantBytes;
  return (
    <>
      <h1>Storage</h1>
      <section class="card stack" aria-labelledby="stored">
        <h2 id="stored">What is stored</h2>
        <p>
          {pluralize(files, 'file')}, {sizeInWords(total)}
          {limit === null ? ' with their variants. There is no limit.' : ` of ${sizeInWords(limit)}.`}
        </p>
        {limit !== null && (
          <>
            <progress
              aria-label="Space in use"
              max={Math.max(1, limit)}
              value={limit === 0 ? 1 : Math.min(total, limit)}
            />
            <p class="quiet">{sizeInWords(Math.max(0, limit - total))} are left.</p>
          </>
        )}
        <BarChart
          caption="Space by kind of file"
          heading="Kind"
          unit="Size"
          bars={stored.kinds.flatMap((kind) => [
            bar(`${KINDS[kind.kind]}, originals`, kind.bytes),
            bar(`${KINDS[kind.kind]}, variants`, kind.variant_bytes),
          ])}
        />
      </section>
      <section class="card stack" aria-labelledby="growth">
        <h2 id="growth">Growth in {days.length} days</h2>
        <GrowthChart
          days={days.map((day) => ({ day: day.day, files: day.files, bytes: day.bytes + day.variant_bytes }))}
        />
      </section>
      <section class="card stack" aria-labelledby="largest">
        <h2 id="largest">Largest accounts</h2>
        <LargestAccounts accounts={stored.largest_accounts} />
      </section>
    </>
  );
}

function LargestAccounts({ accounts }: { readonly accounts: Stored['largest_accounts'] }): JSX.Element {
  if (accounts.length === 0) return <p class="quiet">No account has stored files.</p>;
  return (
    <table class="storage-table">
      <caption>By the size of the originals. Variants don’t count for a quota.</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Size</th>
          <th scope="col">Files</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ username, guest, storage, variant_bytes: variantBytes }) => (
          <tr>
            <th scope="row">
              {guest ? `Guest ${username}` : <a href={`/admin/people/${username}`}>{username}</a>}
            </th>
            <td>
              {withLimit(sizeInWords(storage.bytes), storage.bytes_limit, sizeInWords)}
              <p class="small quiet">and {sizeInWords(variantBytes)} of variants</p>
            </td>
            <td>{withLimit(String(storage.files), storage.files_limit, String)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const withLimit = (used: string, limit: number | null, inWords: (limit: number) => string): string =>
  limit === null ? used : `${used} of ${inWords(limit)}`;
